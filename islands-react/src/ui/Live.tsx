import type { ComponentProps, ReactNode } from "react";

/**
 * A live region. Render it before it has a text, because screen readers miss a text that is inserted
 * together with its region. It has no role "status": with one, screen readers read the role of the
 * paragraph and not its text.
 */
export function Live(props: ComponentProps<"p">): ReactNode {
	return <p aria-live="polite" aria-atomic="true" {...props} />;
}
