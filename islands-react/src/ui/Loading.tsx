import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { common } from "../messages";
import { Live } from "./Live";

/** A shorter wait needs no words. */
const SAID_AFTER_MS = 1000;
const SLOW_AFTER_MS = 8000;

/** Its owner announces the title: screen readers miss a live region that comes with its text. */
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

/** Announces a wait that takes longer than usual. `soon`: what is announced long before, and not shown. */
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

/** Runs `act` when the page was left and is still there, or has come back from the cache (`page/navigate.ts`). */
export function useStays(act: () => void): void {
	const onStays = useEffectEvent(act);
	useEffect(() => {
		const listener = (): void => onStays();
		window.addEventListener("vincula-stays", listener);
		return () => window.removeEventListener("vincula-stays", listener);
	}, []);
}
