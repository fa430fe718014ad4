/** Hydrates an island in its host. The only place that knows `hydrateRoot`. */
import {
	type ComponentType,
	type PropsWithChildren,
	type ReactNode,
	StrictMode,
	useEffect,
} from "react";
import { flushSync } from "react-dom";
import { hydrateRoot, type Root } from "react-dom/client";
import type { PageContext } from "./generated/types";
import type { Page } from "./page/page";
import { useHydrated } from "./ui/use-hydrated";
import { PageServices } from "./use-page";

/**
 * Makes the `mount` function of an island, which the wasm bridge calls by the page's module. Once React
 * has hydrated the island, it reports to the page that it works. If it throws, at any time, React removes
 * it, and the page shows a card and reports the error. The rest of the page keeps working.
 */
export function island<Props extends object>(
	View: ComponentType<Props>,
	propsOf: (context: PageContext) => Props,
): (host: HTMLElement, page: Page) => Root {
	return (host, page) => {
		page.restoreServed(host);
		const view = (
			<StrictMode>
				<PageServices value={page}>
					<Hydration report={page.hydrated}>
						<View {...propsOf(readContext())} />
					</Hydration>
				</PageServices>
			</StrictMode>
		);
		const hydrate = () =>
			hydrateRoot(host, view, {
				// With these handlers, React logs nothing itself.
				onRecoverableError: (error, { componentStack }) => {
					console.error(error, componentStack);
					page.reportIsland(host.dataset.react ?? "", error);
				},
				onUncaughtError: (error, { componentStack }) => {
					console.error(error, componentStack);
					page.fail(host.dataset.react ?? "", error);
				},
			});
		// At once, before a translator changes the nodes again.
		return flushSync(hydrate);
	};
}

/**
 * Reports that its children work: they are hydrated, and rendered with what they show only
 * then (`useHydrated`), such as the bank form's submit button.
 */
function Hydration({
	report,
	children,
}: PropsWithChildren<{ report: () => void }>): ReactNode {
	const isHydrated = useHydrated();
	useEffect(() => {
		if (isHydrated) report();
	}, [isHydrated, report]);
	return children;
}

/** Reads the page's session data. Throws if it is unreadable. */
function readContext(): PageContext {
	return JSON.parse(
		document.getElementById("vincula-context")?.textContent ?? "",
	);
}
