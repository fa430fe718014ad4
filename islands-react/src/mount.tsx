/** Hydrates an island in its host. The only place that knows `hydrateRoot`. */
import type { ComponentType, ReactNode } from "react";
import { hydrateRoot } from "react-dom/client";
import type { Context } from "./generated/types";
import { broken } from "./messages";
import type { Mounted, Page } from "./page/page";
import { Button } from "./ui/Button";
import { PageContext } from "./use-page";

/** What an island's properties are read from, once, before it is rendered. */
type Source = { context: Context; host: Element; page: Page };

/**
 * Makes the `mount` function of the island `name`, which the page's module calls for the wasm bridge. An island that throws
 * is reported, and what the server sent stays if it works by itself; otherwise a card takes its place. The rest of the page
 * keeps working.
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
			<PageContext value={page}>
				<View {...propsOf({ context: readContext(), host, page })} />
			</PageContext>
		);
		const root = hydrateRoot(host, view, {
			onRecoverableError: report,
			onUncaughtError: (error) => {
				report(error);
				// React has removed them. Without it the browser operates them, and they have what the person entered.
				if (isStandalone) host.replaceChildren(...served);
				else root.render(<Broken />);
			},
		});
		return root;
	};
}

/** The session data of the page. One that cannot be read fails the mounting, which the bridge reports. */
function readContext(): Context {
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
