import type { ComponentProps, ReactNode } from "react";

/**
 * A paragraph whose changes are announced. It is on the page before it has a text: screen readers miss what comes with its
 * region. It has no role "status", because with one they say the role when the paragraph is read, and not the text.
 */
export function Live(props: ComponentProps<"p">): ReactNode {
	return <p aria-live="polite" aria-atomic="true" {...props} />;
}
