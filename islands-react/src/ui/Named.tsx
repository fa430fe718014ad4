import { Fragment, type ReactNode } from "react";

/** Stands for the name in the text of `Named`. */
export const NAME = "\n";

/**
 * A text with a name in it, which translators leave as it is. Each part has an element of its own, because
 * React cannot change one of several texts that a translator has replaced.
 */
export function Named({
	text,
	name,
}: {
	text: string;
	name: string;
}): ReactNode {
	return text.split(NAME).map((part, index) => (
		// biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity
		<Fragment key={index}>
			{index > 0 && <span translate="no">{name}</span>}
			{part !== "" && <span>{part}</span>}
		</Fragment>
	));
}
