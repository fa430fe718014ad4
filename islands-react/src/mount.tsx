/** Hydrates an island in its host. The only place that knows `hydrateRoot`. */
import type { ComponentType, ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import type { PageContext } from "./generated/types";
import { broken } from "./messages";
import type { Mounted, Page } from "./page/page";
import { Button } from "./ui/Button";
import { PageServices } from "./use-page";

/** The source of an island's properties. They are read once, before it is rendered. */
type Source = { context: PageContext; host: Element; page: Page };

/**
 * Makes the `mount` function of the island `name`, which the page's module calls for the wasm bridge.
 * If the island throws, the error is reported. Its served HTML is restored if it works without a
 * script; otherwise a card replaces it. The rest of the page keeps working.
 */
export function island<Props extends object>(
	name: string,
	View: ComponentType<Props>,
	propsOf: (source: Source) => Props,
): (host: Element, page: Page) => Mounted {
	return (host, page) => {
		const report = (error: unknown): void => page.reportIsland(name, error);
		const isStandalone = host.querySelector("[data-standalone]") !== null;
		const served = [...host.childNodes];
		const view = (
			<PageServices value={page}>
				<View {...propsOf({ context: readContext(), host, page })} />
			</PageServices>
		);
		const root = hydrateRoot(host, view, {
			onRecoverableError: report,
			onUncaughtError: (error) => {
				report(error);
				// React has removed the served nodes. They work natively, and still have the entered values.
				if (isStandalone) host.replaceChildren(...served);
				else root.render(<Broken />);
			},
		});
		return root;
	};
}

/** Finds a part that the island's prerendered screens all have. Throws without it. */
export function partOf<E extends Element>(host: Element, selector: string): E {
	const part = host.querySelector<E>(selector);
	if (part === null) throw new Error(`no ${selector} in the served island`);
	return part;
}

/** Reads the page's session data. Throws if it is unreadable; the bridge reports that. */
function readContext(): PageContext {
	return JSON.parse(
		document.getElementById("vincula-context")?.textContent ?? "",
	);
}

function Broken(): ReactNode {
	return (
		<div className="card" role="alert">
			<h2 className="card__title">{broken.title}</h2>
			<p>{broken.text}</p>
			<Button kind="primary" onClick={() => location.reload()}>
				{broken.reload}
			</Button>
		</div>
	);
}
