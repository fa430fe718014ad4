import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { common } from "../messages";
import { RESUMED } from "../page/navigate";
import { Live } from "./Live";

/** Shorter waits are not announced. */
const SAID_AFTER_MS = 1000;
const SLOW_AFTER_MS = 8000;

/** A spinner with a title. The parent announces the title, in a live region that is there before. */
export function Loading({
	title,
	children,
}: {
	title: string;
	children?: ReactNode;
}): ReactNode {
	return (
		<div className="loading">
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
	const [text, setText] = useState("");
	useEffect(() => {
		if (!busy) return;
		const timers = [
			setTimeout(() => setText(soon), SAID_AFTER_MS),
			setTimeout(() => setText(common.slow), SLOW_AFTER_MS),
		];
		return () => {
			for (const timer of timers) clearTimeout(timer);
			setText("");
		};
	}, [busy, soon]);
	return (
		<Live className={text === common.slow ? "field__hint" : "visually-hidden"}>
			{text}
		</Live>
	);
}

/** Runs `act` when a navigation has stalled, or the page comes back from the back/forward cache. */
export function useResumed(act: () => void): void {
	const onResumed = useEffectEvent(act);
	useEffect(() => {
		const listener = (): void => onResumed();
		window.addEventListener(RESUMED, listener);
		return () => window.removeEventListener(RESUMED, listener);
	}, []);
}
