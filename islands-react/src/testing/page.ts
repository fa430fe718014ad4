/** Test doubles of the page: its context, its location, the server's responses. */
import { act, within } from "@testing-library/react";
import type { Root } from "react-dom/client";
import { expect, vi } from "vitest";
import type { ConnectStart, PageContext } from "../generated/types";
import type { KeptItem } from "../page/items";
import { createPage, type Page } from "../page/page";
import { rememberServed } from "../page/served";

export const CONTEXT: PageContext = {
	session: "s-1",
	clientName: "Padaria Pão & Cia <Ltda>",
	customerName: 'Contábil "Horizonte" & Filhos',
	authorized: false,
	cancelled: false,
	widgetType: "new",
	renewalDue: false,
	isConfirmed: false,
	linking: null,
	bank: "Itaú",
	consent: null,
	bankForm: null,
};

/** The data that starts Connect. */
export const START: ConnectStart = {
	connectToken: "token",
	updateItem: null,
	includeSandbox: true,
	url: "/sandbox/connect",
	cpf: "52998224725",
	cnpj: null,
	selectedConnectorId: null,
};

/** A success that was not sent yet. */
export function keptItem(more: Partial<KeptItem> = {}): KeptItem {
	return {
		itemId: "item-1",
		kind: "success",
		bank: "Itaú",
		waits: false,
		renews: "",
		at: Date.now(),
		state: "new",
		...more,
	};
}

export function putContext(context: unknown = CONTEXT): void {
	document.getElementById("vincula-context")?.remove();
	const blob = document.createElement("script");
	blob.type = "application/json";
	blob.id = "vincula-context";
	blob.textContent = JSON.stringify(context);
	document.body.append(blob);
}

/** Puts the host of a React island into the document, as the server sends it. */
export function putHost(html = ""): HTMLElement {
	const island = document.createElement("leptos-island");
	const host = island.appendChild(document.createElement("div"));
	host.innerHTML = html;
	document.body.append(island);
	rememberServed();
	return host;
}

const islands: Root[] = [];

/** The page of the running test. */
export let page: Page;

/** Creates a new page. Its `reportIsland` is a spy. */
export function openPage(): void {
	page = createPage();
	vi.spyOn(page, "reportIsland");
	putToast();
}

/**
 * Mounts an island as the bridge does, and expects the served elements and texts to be those that it
 * renders. `unmountIslands` unmounts it after the test.
 */
export async function mountIsland(
	mount: (host: HTMLElement, page: Page) => Root,
	host: HTMLElement,
): Promise<void> {
	await act(async () => {
		islands.push(mount(host, page));
	});
	expect(page.reportIsland, "no hydration mismatch").not.toHaveBeenCalled();
}

export async function unmountIslands(): Promise<void> {
	await act(async () => {
		for (const island of islands.splice(0)) island.unmount();
	});
}

/** Replaces the tokens of a prerendered screen by escaped texts, as the server does. */
export function renderTemplate(
	html: string | undefined,
	texts: Record<string, string>,
): string {
	const escaped = (text: string) =>
		text
			.replaceAll("&", "&amp;")
			.replaceAll("<", "&lt;")
			.replaceAll(">", "&gt;")
			.replaceAll('"', "&quot;");
	if (html === undefined) throw new Error("no such screen");
	return html.replace(/\{\{(\w+)\}\}/g, (_token, name: string) =>
		escaped(texts[name] ?? "UNKNOWN"),
	);
}

/** The toast's text. */
export const REQUEST_FAILED = "Houve falha na requisição.";

/** Adds the toast's markup of every document (`document.rs`). */
function putToast(): void {
	document.getElementById("toasts")?.remove();
	document.getElementById("toast")?.remove();
	document.body.insertAdjacentHTML(
		"beforeend",
		`<div class="toasts" id="toasts" aria-live="assertive"></div><template id="toast"><div class="toast" role="region" aria-label="Aviso"><p class="toast__message">${REQUEST_FAILED}</p><button aria-label="Fechar"></button></div></template>`,
	);
}

/** The texts of the toasts on the screen. */
export function toasts(): (string | null)[] {
	// Not `screen`, because a step in place of the entry brings another body.
	const shown = within(document.body).queryAllByRole("region", {
		name: "Aviso",
	});
	return shown.map(({ textContent }) => textContent);
}

/** The texts of the live regions, without toasts. */
export function heard(): (string | null)[] {
	const regions = [
		...document.querySelectorAll('[aria-live="polite"][aria-atomic="true"]'),
	];
	return regions.map(({ textContent }) => textContent).filter(Boolean);
}

/** Replaces `window.location`; returns its mocked methods. */
export function watchLocation() {
	const replace = vi.fn<(to: string) => void>();
	const reload = vi.fn<() => void>();
	vi.stubGlobal("location", {
		replace,
		reload,
		origin: "https://vincula.test",
	});
	return { replace, reload };
}

/** A response: its JSON, or the text of a body that is not JSON. */
type Reply = { status?: number; body?: unknown; text?: string };
export type Answer = Reply | "offline" | Promise<Reply>;

/** Mocks `fetch`: each action gets the responses of its row in turn, the last one repeatedly. Returns the calls. */
export function answerActions(table: Record<string, Answer[]>) {
	const calls: { action: string; input: unknown; init: RequestInit }[] = [];
	const fetch = vi.fn(async (url: string, init: RequestInit) => {
		const action = url.replace("/api/", "");
		const earlier = calls.filter((call) => call.action === action).length;
		const call = { action, input: JSON.parse(String(init.body)).input, init };
		calls.push(call);
		init.signal?.throwIfAborted();
		// A request that is aborted in the same task, as in React's strict mode, is never sent.
		let isSent = false;
		queueMicrotask(() => {
			isSent = true;
		});
		init.signal?.addEventListener(
			"abort",
			() => isSent || calls.splice(calls.indexOf(call), 1),
		);
		const aborted = new Promise<never>((_, reject) =>
			init.signal?.addEventListener("abort", reject),
		);
		const answers = table[action] ?? [{ body: {} }];
		const answer = await Promise.race([
			aborted,
			answers[earlier] ?? answers.at(-1),
		]);
		if (answer === undefined || answer === "offline")
			throw new TypeError("Failed to fetch");
		const { status = 200, body, text: raw } = answer;
		// Not a `Response`, which reads its body from a stream: `act` waits for microtasks only.
		const text = async () => raw ?? JSON.stringify(body);
		return { ok: status < 400, status, headers: new Headers(), text };
	});
	vi.stubGlobal("fetch", fetch);
	return calls;
}

/** A promise that the test settles. */
export function deferred<T>() {
	let settle: (value: T) => void = () => {};
	const promise = new Promise<T>((resolve) => {
		settle = resolve;
	});
	return { promise, settle };
}
