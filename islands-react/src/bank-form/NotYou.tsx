import { type ReactNode, useState } from "react";
import { notYou as words } from "../messages";
import { Button } from "../ui/Button";
import { Disclosure } from "../ui/Disclosure";
import { Live } from "../ui/Live";
import { useHydrated } from "../ui/use-hydrated";

/**
 * Instructions for a person who is not the administrator, and a message to forward. The message
 * contains neither link nor token. Without a clipboard it is only shown.
 */
export function NotYou({ firm }: { firm: string }): ReactNode {
	const text = words.message(firm);
	// Unknown when the form is prerendered.
	const canCopy = useHydrated() && navigator.clipboard !== undefined;
	const [said, setSaid] = useState("");

	async function copy(): Promise<void> {
		try {
			await navigator.clipboard.writeText(text);
			setSaid(words.copied);
		} catch {
			setSaid(words.failed);
		}
	}

	return (
		<Disclosure className="disclosure not-you">
			<summary>{words.title}</summary>
			<div className="not-you__content">
				<p>{words.text}</p>
				<blockquote className="not-you__message">{text}</blockquote>
				{canCopy && (
					<div className="actions">
						<Button kind="secondary" onClick={() => void copy()}>
							{words.copy}
						</Button>
						<Live className="not-you__result">{said}</Live>
					</div>
				)}
			</div>
		</Disclosure>
	);
}
