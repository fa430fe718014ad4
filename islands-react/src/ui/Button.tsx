import type { ComponentProps, ReactNode } from "react";

type Props = ComponentProps<"button"> & {
	kind: "primary" | "secondary" | "quiet";
	busy?: boolean;
};

/**
 * A button that can be busy. Busy it is `aria-disabled` instead of `disabled`, so that it can have the focus; its owner
 * ignores clicks. The label stays in place, and so does the width.
 */
export function Button({
	kind,
	busy = false,
	children,
	...rest
}: Props): ReactNode {
	return (
		<button
			type="button"
			className={`button button--${kind}`}
			aria-disabled={busy || undefined}
			aria-busy={busy || undefined}
			{...rest}
		>
			{/* Shown by the style sheet while busy. */}
			<span className="button__spinner" aria-hidden="true" />
			<span className="button__label">{children}</span>
		</button>
	);
}
