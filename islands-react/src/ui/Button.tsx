import type { ComponentProps, MouseEvent, ReactNode } from "react";

type Props = ComponentProps<"button"> & {
	kind: "primary" | "secondary" | "quiet";
	busy?: boolean;
	/** A class in addition to the button's own. */
	className?: string;
};

/**
 * A button that can be busy. A busy button ignores presses. It is `aria-disabled` and not `disabled`, so
 * that it keeps the focus. Label and width stay the same.
 */
export function Button({
	kind,
	busy = false,
	className,
	"aria-disabled": isDisabled,
	onClick,
	children,
	...rest
}: Props): ReactNode {
	const own = `button button--${kind}`;
	return (
		<button
			type="button"
			className={className === undefined ? own : `${own} ${className}`}
			aria-disabled={busy || isDisabled || undefined}
			aria-busy={busy || undefined}
			{...rest}
			onClick={busy ? ignore : onClick}
		>
			{/* The style sheet shows it while the button is busy. */}
			<span className="button__spinner" aria-hidden="true" />
			<span className="button__label">{children}</span>
		</button>
	);
}

function ignore(event: MouseEvent): void {
	event.preventDefault();
}
