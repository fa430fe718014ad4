import { type ReactNode, useRef, useState } from "react";
import { notYou as words } from "../messages";
import { Button } from "../ui/Button";
import { useHydrated } from "../ui/hydrated";
import { Live } from "../ui/Live";

/** For somebody who is not the administrator: what to do, and a message to send. It has no link and no token. */
export function NotYou({ firm }: { firm: string }): ReactNode {
	const text = words.message(firm);
	const message = useRef<HTMLQuoteElement>(null);
	// Not known when the form is prerendered.
	const shares = useHydrated() && "share" in navigator;
	const [said, setSaid] = useState("");

	/** Passes the text on: to an app of the person's choice, or else to the clipboard. */
	async function send(): Promise<void> {
		// The same words are announced again only if they were gone.
		setSaid("");
		try {
			if (shares) {
				await navigator.share({ text });
				return setSaid(words.shared);
			}
		} catch (error) {
			if (error instanceof DOMException && error.name === "AbortError") return;
			// Some embedded browsers have the method and refuse it.
		}
		try {
			await navigator.clipboard.writeText(text);
			setSaid(words.copied);
		} catch {
			if (message.current) getSelection()?.selectAllChildren(message.current);
			setSaid(words.failed);
		}
	}

	return (
		<details className="disclosure not-you">
			<summary>{words.title}</summary>
			<div className="not-you__content">
				<p>{words.text(firm)}</p>
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
		</details>
	);
}
