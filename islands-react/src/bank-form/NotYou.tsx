import { type ReactNode, useRef, useState } from "react";
import { notYou as words } from "../messages";
import { SILENT_MS } from "../page/announce";
import { Button } from "../ui/Button";
import { Disclosure } from "../ui/Disclosure";
import { Live } from "../ui/Live";
import { useHydrated } from "../ui/use-hydrated";

/**
 * Instructions for a person who is not the administrator, and a message to forward. The message
 * contains neither link nor token.
 */
export function NotYou({ firm }: { firm: string }): ReactNode {
	const text = words.message(firm);
	const message = useRef<HTMLQuoteElement>(null);
	// Unknown when the form is prerendered.
	const shares = useHydrated() && "share" in navigator;
	const [said, setSaid] = useState("");

	function say(result: string): void {
		setTimeout(() => setSaid(result), SILENT_MS);
	}

	/** Shares the text or, where that is not possible, copies it to the clipboard. */
	async function send(): Promise<void> {
		// The same text is announced again only if it was removed in between.
		setSaid("");
		try {
			if (shares) {
				await navigator.share({ text });
				return say(words.shared);
			}
		} catch (error) {
			if (error instanceof DOMException && error.name === "AbortError") return;
			// Some embedded browsers have the method but refuse the call.
		}
		try {
			await navigator.clipboard.writeText(text);
			say(words.copied);
		} catch {
			if (message.current) getSelection()?.selectAllChildren(message.current);
			say(words.failed);
		}
	}

	return (
		<Disclosure className="disclosure not-you">
			<summary>{words.title}</summary>
			<div className="not-you__content">
				<p>{words.text}</p>
				<blockquote className="not-you__message" ref={message}>
					{text}
				</blockquote>
				<div className="actions">
					<Button kind="secondary" onClick={() => void send()}>
						{shares ? words.share : words.copy}
					</Button>
					<Live className="not-you__result">{said}</Live>
				</div>
			</div>
		</Disclosure>
	);
}
