import type { ComponentProps, ReactNode } from "react";

/**
 * A question that opens its answer. The browser opens and closes it, also before hydration, and React
 * leaves it as it is: an answer must not move under its reader.
 */
export function Disclosure(props: ComponentProps<"details">): ReactNode {
	return (
		<details
			className="disclosure"
			// React's development build would report an answer that was opened before hydration.
			suppressHydrationWarning
			{...props}
		/>
	);
}
