import type { ReactNode } from "react";

/**
 * A text with a name in it, which translators leave as it is. Each part has an element of its own, because
 * React cannot change one of several texts that a translator has replaced.
 */
export function Named({
	text: [before, after],
	name,
}: {
	/** The text before and after the name. */
	text: readonly [string, string];
	name: string;
}): ReactNode {
	return (
		<>
			{before !== "" && <span>{before}</span>}
			<span translate="no">{name}</span>
			<span>{after}</span>
		</>
	);
}
