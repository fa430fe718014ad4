import type { ComponentProps, ReactNode } from "react";

type Props = ComponentProps<"button"> & {
	kind: "primary" | "secondary" | "quiet";
	busy?: boolean;
};

/**
 * A button that can be busy. A busy button is `aria-disabled` and not `disabled`, so that it keeps the
 * focus; its owner ignores clicks. Label and width stay the same.
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
			{/* The style sheet shows it while the button is busy. */}
			<span className="button__spinner" aria-hidden="true" />
			<span className="button__label">{children}</span>
		</button>
	);
}
