import { within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import { OUTAGE } from "../generated/routes";
import {
	answerActions,
	REQUEST_FAILED,
	toasts,
	watchLocation,
} from "../testing/page";

/** A fake module of the page. `run` is the body of `hydrateStep(files)`. */
function pageModule(run: string): string {
	return `data:text/javascript,${encodeURIComponent(`export const hydrateStep = (files) => { ${run}; };`)}`;
}

const STEP = `<title>Autorizar acesso — Firma</title><meta name="theme-color" content="#222222">
  <meta name="style" content=":root{--color-primary:#222222}">
  <script type="module" src="${pageModule("globalThis.started = files")}"></script>
  <link rel="modulepreload" href="/islands/consent.js">
  <link rel="modulepreload" href="/pkg/it.js">
  <link rel="preload" as="fetch" type="application/wasm" href="/pkg/it.wasm">
  <body class="page" data-page="consent"><main><h1 class="step__title" tabindex="-1">Firma pede acesso</h1></main>
  <noscript><p>Sem JavaScript</p></noscript><script>window.ran = true;</script>
  <div id="toasts" aria-live="assertive"></div></body>`;

/** The requests of the validation, in order. */
let requests: ReturnType<typeof fakeRequest>[];

function fakeRequest() {
	const headers = new Map<string, string | null>();
	return {
		headers,
		open: vi.fn(),
		setRequestHeader: vi.fn(),
		send: vi.fn(),
		getResponseHeader: (name: string) => headers.get(name) ?? null,
		responseType: "",
		status: 0,
		responseXML: null as Document | null,
		onloadend: () => {},
	};
}

beforeEach(() => {
	vi.useFakeTimers();
	vi.resetModules();
	vi.stubGlobal("scrollTo", vi.fn());
	requests = [];
	vi.stubGlobal("XMLHttpRequest", function create() {
		const request = fakeRequest();
		requests.push(request);
		return request;
	});
	history.replaceState(null, "", "/?token=segredo");
	document.head.innerHTML =
		'<meta name="theme-color" content="#111111"><script nonce="of-the-entry" type="none"></script>';
	document.title = "Abrindo";
	document.body.insertAdjacentHTML(
		"beforeend",
		`<section id="entry-opening"><h1>Abrindo o seu link…</h1></section>
		<section id="entry-failed" data-title="Falhou — Firma" hidden>
		<h1 class="step__title" tabindex="-1" aria-describedby="entry-reason">Falhou</h1>
		<p id="entry-reason">Confira a internet</p><button type="button" aria-busy="false">Tentar de novo</button></section>`,
	);
});

/** Starts the entry. */
async function enter(): Promise<void> {
	await import("./entry");
	await vi.advanceTimersByTimeAsync(0);
}

/** Ends the last request: the validation leads to a page, which may come as a document. */
async function arrive(to: string | null, html = "", status = 200) {
	const request = requests.at(-1);
	if (!request) throw new Error("nothing was requested");
	request.status = status;
	request.headers.set("content-location", to);
	request.responseXML =
		html === "" ? null : new DOMParser().parseFromString(html, "text/html");
	request.onloadend();
	await vi.advanceTimersByTimeAsync(0);
}

const arriveAtStep = (html = STEP) => arrive("/integration/widget", html);

const part = (name: string) =>
	document.getElementById(`entry-${name}`) as HTMLElement;
const validation = () => document.documentElement.dataset.validation;
// Not `screen`, because a step in place of the entry brings another body.
const retry = () =>
	within(document.body).getByRole("button", { name: "Tentar de novo" });

test("requests the validation of the link and of a bank's error at once, for a document", async () => {
	history.replaceState(null, "", "/?of-success#error=access_denied");
	await enter();
	expect(validation()).toBe("begun");
	const [request] = requests;
	expect(request?.open).toHaveBeenCalledExactlyOnceWith(
		"POST",
		"/api/validate_token",
	);
	const headers = { "content-type": "application/json", accept: "text/html" };
	expect(
		Object.fromEntries(request?.setRequestHeader.mock.calls ?? []),
	).toEqual(headers);
	expect([request?.responseType, request?.send.mock.lastCall]).toEqual([
		"document",
		['{"input":{"query":"?of-success&error=access_denied"}}'],
	]);
});

test("says after half a second that it waits", async () => {
	await enter();
	await vi.advanceTimersByTimeAsync(499);
	expect(validation()).toBe("begun");
	await vi.advanceTimersByTimeAsync(1);
	expect(validation()).toBe("slow");
});

test("does not say that it waits if the validation has failed before", async () => {
	await enter();
	await arrive(null, "", 500);
	await vi.advanceTimersByTimeAsync(500);
	expect(validation()).toBe("failed");
});

test("a validated link replaces the entry by its step, under the step's address", async () => {
	const entries = history.length;
	await enter();
	await arriveAtStep();
	expect([location.pathname, location.search, history.length]).toEqual([
		"/integration/widget",
		"",
		entries,
	]);
	expect([document.title, document.body.dataset.page]).toEqual([
		"Autorizar acesso — Firma",
		"consent",
	]);
	expect(document.querySelector("h1")).toHaveFocus();
	expect(validation()).toBeUndefined();
	expect(document.querySelector("noscript, script:not([nonce])")).toBeNull();
	const colors = [
		...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]'),
	];
	expect(colors.map(({ content }) => content)).toEqual(["#222222"]);
	const style = document.head.querySelector("style");
	expect([style?.textContent, style?.nonce]).toEqual([
		":root{--color-primary:#222222}",
		"of-the-entry",
	]);
	const preload = () =>
		document.head.querySelector('link[rel="modulepreload"]');
	expect(preload(), "the first frame comes before modules").toBeNull();
	await vi.advanceTimersByTimeAsync(200);
	expect(preload()).toHaveAttribute("href", "/islands/consent.js");
	expect(document.documentElement.outerHTML).not.toContain("segredo");
});

test("the page's module hydrates the step", async () => {
	vi.stubGlobal("started", undefined);
	await enter();
	await arriveAtStep();
	await vi.advanceTimersByTimeAsync(200);
	await vi.dynamicImportSettled();
	const files = {
		glue: new URL("/pkg/it.js", location.href).href,
		wasm: new URL("/pkg/it.wasm", location.href).href,
	};
	expect(globalThis).toHaveProperty("started", files);
	expect(document.querySelector("h1")).toHaveFocus();
});

test.each([
	["shows the card for a missing part", "", true],
	[
		"does not change if its form is standalone",
		"<form data-standalone></form>",
		false,
	],
])(
	"a step whose page module does not load reports it, and %s",
	async (_what, form, showsCard) => {
		const calls = answerActions({});
		await enter();
		await arriveAtStep(
			STEP.replace(
				/src="[^"]*"/,
				'src="data:text/javascript,throw%200"',
			).replace(
				"</body>",
				`${form}<div id="islands-failed" hidden></div></body>`,
			),
		);
		const card = () => document.getElementById("islands-failed");
		await vi.waitFor(() =>
			expect(calls).toMatchObject([
				{ action: "report_island", input: { island: "page" } },
			]),
		);
		expect(card()?.hidden).toBe(!showsCard);
	},
);

test.each([
	["a target without a document", "/integration/update", "", 200],
	["a target with an empty document", "/integration/accounts", "<p>", 200],
	["an error screen, whatever the failed response is", "/error/x", STEP, 422],
	["the outage, for another site's address", "https://evil.test/", STEP, 200],
])("navigates to %s", async (_what, to, html, status) => {
	const { replace } = watchLocation();
	vi.stubGlobal("location", { ...location, search: "?token=1", hash: "" });
	await enter();
	await arrive(to, html, status);
	const target = to.startsWith("/") ? to : OUTAGE;
	expect(replace.mock.calls).toEqual([[target]]);
});

test("shows that a validation has failed, and the step after a retry", async () => {
	await enter();
	expect(part("failed").hidden).toBe(true);
	await arrive(null, "", 503);
	expect(toasts()).toEqual([REQUEST_FAILED]);
	expect([part("opening").hidden, part("failed").hidden]).toEqual([
		true,
		false,
	]);
	expect([document.title, validation()]).toEqual(["Falhou — Firma", "failed"]);
	const title = within(document.body).getByRole("heading", { name: "Falhou" });
	expect(title, "screen readers read the failure").toHaveFocus();
	expect(title, "and why").toHaveAccessibleDescription("Confira a internet");
	retry().click();
	retry().click();
	expect(requests).toHaveLength(2);
	await arriveAtStep();
	expect(location.pathname).toBe("/integration/widget");
});

test("a retry keeps its busy button and the focus until it fails, which the toast says again", async () => {
	await enter();
	await arrive(null);
	const again = retry();
	again.focus();
	again.click();
	expect(again).toHaveAttribute("aria-busy", "true");
	const announced = vi.fn();
	new MutationObserver(announced).observe(
		document.getElementById("toasts") as Element,
		{ childList: true },
	);
	await arrive(null);
	await vi.waitFor(() => expect(announced).toHaveBeenCalled());
	expect(again).toHaveFocus();
	expect(again).toHaveAttribute("aria-busy", "false");
});

test("a navigation that stalls shows the failure", async () => {
	await enter();
	watchLocation();
	await arrive("/integration/update");
	const failed = document.getElementById("entry-failed");
	expect(failed?.hidden).toBe(true);
	await vi.advanceTimersByTimeAsync(8000);
	expect(failed?.hidden).toBe(false);
});

test("a browser without cookies goes to the error about them, and uses up no token", async () => {
	const { replace } = watchLocation();
	vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
	await enter();
	expect(requests).toEqual([]);
	expect(replace.mock.calls).toEqual([["/error/cookies-blocked"]]);
});
