import { type ReactNode, useEffect, useState } from "react";
import { common } from "../messages";
import { Live } from "./Live";

/** Shorter waits are not announced. */
const SOON_AFTER_MS = 1000;
const SLOW_AFTER_MS = 8000;

/** A spinner with a title, in a card. The parent announces the title, in a live region that is there before. */
export function Loading({
	title,
	children,
}: {
	title: ReactNode;
	children?: ReactNode;
}): ReactNode {
	return (
		<div className="loading loading--card">
			<span className="spinner" aria-hidden="true" />
			<p className="loading__text">{title}</p>
			{children}
			<Slow busy />
		</div>
	);
}

/** Shows and announces that a wait is slow. `soon` is announced earlier, and not shown. */
export function Slow({
	busy,
	soon = "",
}: {
	busy: boolean;
	soon?: string;
}): ReactNode {
	const [wait, setWait] = useState<"soon" | "slow">();
	useEffect(() => {
		if (!busy) return;
		const timers = [
			setTimeout(() => setWait("soon"), SOON_AFTER_MS),
			setTimeout(() => setWait("slow"), SLOW_AFTER_MS),
		];
		return () => {
			for (const timer of timers) clearTimeout(timer);
			setWait(undefined);
		};
	}, [busy]);
	// One child: React removes one of several texts as a node, which a translator may have replaced.
	const texts = { soon, slow: common.slow };
	return (
		<Live className={wait === "slow" ? "field__hint" : "visually-hidden"}>
			{wait && texts[wait]}
		</Live>
	);
}
