/**
 * Stands in for https://connect.pluggy.ai: a cross-origin page that uses the SDK's own protocol (zoid), so that the
 * program runs with its production settings.
 *
 * The connect token's value names the scenario: what each press of "Continuar" does, in order, joined by `-`. For
 * example `error-success.…`: the first press fails, the second succeeds. `+` joins several of one press. Any other token
 * succeeds, so that a deployed product can be tested.
 */
import { readFileSync } from "node:fs";
import type { BrowserContext, Route } from "@playwright/test";

export const CONNECT_ORIGIN = "https://connect.pluggy.ai";

/** The id of the item in every success. */
export const ITEM_ID = "7c2a51d0-4a0e-4c58-9f0f-2c6d4a1be001";

export const PENDING = "USER_AUTHORIZATION_PENDING";

/** How Connect's page fails: blocked, or without a response to its host. */
type Outage = "abort" | "silent";

/** Must be the version that the SDK uses. */
const ZOID = readFileSync(
	new URL("../node_modules/zoid/dist/zoid.frame.js", import.meta.url),
	"utf8",
);

export class ConnectStandIn {
	static readonly #installed = new WeakMap<BrowserContext, ConnectStandIn>();

	/** Undefined if it works. */
	outage: Outage | undefined;
	/** The number of requests for its page. */
	openings = 0;

	/** The stand-in of this browser context, installed on first use. */
	static async install(context: BrowserContext): Promise<ConnectStandIn> {
		const there = ConnectStandIn.#installed.get(context);
		if (there !== undefined) return there;
		const standIn = new ConnectStandIn();
		ConnectStandIn.#installed.set(context, standIn);
		await context.route(`${CONNECT_ORIGIN}/**`, (route) =>
			standIn.#respond(route),
		);
		return standIn;
	}

	static isInstalled(context: BrowserContext): boolean {
		return ConnectStandIn.#installed.has(context);
	}

	#respond(route: Route): Promise<void> {
		const { pathname } = new URL(route.request().url());
		const page = pageOf(pathname);
		if (page === undefined) return route.fulfill({ status: 404 });
		if (pathname !== "/") return route.fulfill(page);
		this.openings += 1;
		switch (this.outage) {
			case "abort":
				return route.abort("blockedbyclient");
			case "silent":
				return route.fulfill({
					contentType: "text/html",
					body: "<!doctype html><title>Pluggy</title>",
				});
			default:
				return route.fulfill(page);
		}
	}
}

/** The stand-in's file at a path. */
function pageOf(
	pathname: string,
): { contentType: string; body: string } | undefined {
	if (pathname === "/zoid.frame.js")
		return { contentType: "text/javascript", body: ZOID };
	return pathname === "/"
		? { contentType: "text/html", body: PAGE }
		: undefined;
}

/** `zoid.create` must run while the document loads. It sets `window.xprops`. */
const PAGE = `<!doctype html>
<html lang="pt-BR">
<head>
<meta charset="utf-8">
<title>Pluggy Connect</title>
<style>body { margin: 0; font: 16px sans-serif; background: #fff; color: #111 } pre { white-space: pre-wrap }</style>
<script src="/zoid.frame.js"></script>
</head>
<body>
<main>
  <h1>Banco de teste</h1>
  <button type="button" disabled>Continuar</button>
  <p role="status"></p>
  <pre data-testid="props"></pre>
</main>
<script>
  zoid.create({ tag: 'pluggy-connect-widget', url: () => location.origin });
  const props = window.xprops;
  const item = { id: '${ITEM_ID}' };
  const failed = (code) => ({ message: code, data: { item: { ...item, executionStatus: code, error: { code } } } });
  const acts = {
    success: () => props.onSuccessProp?.({ item }),
    error: () => props.onErrorProp?.(failed('INVALID_CREDENTIALS')),
    pending: () => props.onErrorProp?.(failed('${PENDING}')),
    secret: () => props.onErrorProp?.({ message: 'login of 529.982.247-25 with ' + props.connectToken + ' failed' }),
    close: () => props.close(),
  };
  const scenario = props.connectToken.split('.')[0].split('-');
  const isScenario = scenario.every((step) => step.split('+').every((act) => Object.hasOwn(acts, act)));
  const steps = isScenario ? scenario : ['success'];
  document.querySelector('button').addEventListener('click', () => {
    const step = steps.shift() ?? '';
    document.querySelector('[role=status]').textContent = step;
    // After the press, as Pluggy does. A success removes the frame, and the browser would not end a press in it.
    setTimeout(() => {
      for (const act of step.split('+')) void Promise.resolve(acts[act]?.()).catch(() => {});
    });
  });
  // A press before the handler is there would be lost.
  document.querySelector('button').disabled = false;
  document.addEventListener('keydown', ({ key }) => {
    if (key === 'Escape') props.close();
  });
  const { includeSandbox, updateItem, language, theme, openFinanceParameters, selectedConnectorId } = props;
  document.querySelector('pre').textContent =
    JSON.stringify({ includeSandbox, updateItem, language, theme, openFinanceParameters, selectedConnectorId });
</script>
</body>
</html>`;
