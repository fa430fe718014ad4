import { beforeEach, expect, test, vi } from "vitest";
import { answerActions, toasts, watchLocation } from "../testing/page";
import type { Arrival, RetryReason } from "./arrival";
import { startEntry } from "./entry";

/** A fake module of the page. `start` is the body of `startAt(files)`. */
function pageModule(start: string): string {
	return `data:text/javascript,${encodeURIComponent(`export const startAt = (files) => { ${start}; };`)}`;
}

const STEP = `<title>Autorizar acesso — Firma</title><meta name="theme-color" content="#222222">
  <meta name="style" content=":root{--color-primary:#222222}">
  <script type="module" src="${pageModule("globalThis.started = files")}"></script>
  <link rel="modulepreload" href="/islands/consent.js">
  <link rel="modulepreload" href="/pkg/it.js">
  <link rel="preload" as="fetch" type="application/wasm" href="/pkg/it.wasm">
  <body class="page" data-page="consent"><h1 class="step__title" tabindex="-1">Firma pede acesso</h1>
  <noscript><p>Sem JavaScript</p></noscript><script>window.ran = true;</script>
  <div id="toasts" aria-live="assertive"></div></body>`;

beforeEach(() => {
	vi.useFakeTimers();
	vi.stubGlobal("scrollTo", vi.fn());
	history.replaceState(null, "", "/?token=segredo");
	document.head.innerHTML =
		'<meta name="theme-color" content="#111111"><script nonce="of-the-entry" type="none"></script>';
	document.title = "Abrindo";
	document.body.insertAdjacentHTML(
		"beforeend",
		`<h1 id="entry-title" class="visually-hidden" tabindex="-1" data-validating="Validando" data-failed="Falhou" data-failed-title="Falhou — Firma">Validando</h1>
     <div id="entry-waiting"><p id="entry-slow" data-words="Lento"></p></div>
     <form id="entry-form"><div id="entry-by-hand"></div><div id="entry-failed" hidden><p id="entry-reason" data-busy="Cheio" data-offline="Sem internet" data-no-response="Calado"></p><button>Tentar de novo</button></div></form>`,
	);
});

/** Starts the entry. Its validations have these results in turn. */
async function enter(
	first: Arrival | RetryReason,
	second = first,
): Promise<void> {
	startEntry(
		{ first: Promise.resolve(first), validate: async () => second },
		"/fonts/inter.woff2",
	);
	await vi.advanceTimersByTimeAsync(0);
}

const toStep = (html = STEP): Arrival => ({
	to: "/integration/widget",
	step: new DOMParser().parseFromString(html, "text/html"),
});

const part = (name: string) => document.getElementById(`entry-${name}`);
const validation = () => document.documentElement.dataset.validation;

test("a validated link replaces the entry by its step, under the step's address", async () => {
	const entries = history.length;
	await enter(toStep());
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
	expect([document.body.dataset.arriving, validation()]).toEqual([
		"",
		undefined,
	]);
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
	await vi.advanceTimersByTimeAsync(100);
	expect(
		document.body.dataset.arriving,
		"everything is laid out after the first frame",
	).toBeUndefined();
	expect(
		document.head.querySelector('link[rel="modulepreload"]'),
	).toHaveAttribute("href", "/islands/consent.js");
	expect(document.documentElement.outerHTML).not.toContain("segredo");
});

test("the page's module starts the step", async () => {
	await enter(toStep());
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
		const step = STEP.replace(
			/src="[^"]*"/,
			'src="data:text/javascript,throw%200"',
		);
		await enter(
			toStep(
				step.replace(
					"</body>",
					`${form}<div id="islands-failed" hidden></div></body>`,
				),
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

test("navigates to a target without a document", async () => {
	const { replace } = watchLocation();
	await enter({ to: "/error/token-expired?codigo=0123456789ab", step: null });
	expect(replace.mock.calls).toEqual([
		["/error/token-expired?codigo=0123456789ab"],
	]);
});

test.each<[RetryReason, string]>([
	["busy", "Cheio"],
	["offline", "Sem internet"],
	["noResponse", "Calado"],
])(
	"shows why a validation failed (%s), and the step after a retry",
	async (why, reason) => {
		await enter(why, toStep());
		expect(toasts()).toEqual(["Houve falha na requisição."]);
		expect([
			part("title")?.textContent,
			part("title")?.className,
			document.title,
		]).toEqual(["Falhou", "step__title", "Falhou — Firma"]);
		expect(part("title"), "screen readers read the failure").toHaveFocus();
		expect(part("title"), "and its reason").toHaveAccessibleDescription(reason);
		expect([
			part("waiting")?.hidden,
			part("failed")?.hidden,
			validation(),
		]).toEqual([true, false, "waiting"]);
		part("form")?.dispatchEvent(
			new SubmitEvent("submit", { cancelable: true }),
		);
		expect([
			part("title")?.textContent,
			part("title")?.className,
			document.title,
		]).toEqual(["Validando", "visually-hidden", "Abrindo"]);
		expect(part("title"), "the pressed button is hidden").toHaveFocus();
		expect(part("title")).not.toHaveAccessibleDescription();
		expect(
			[part("by-hand"), part("waiting"), part("failed")].map(
				(one) => one?.hidden,
			),
		).toEqual([true, false, true]);
		await vi.advanceTimersByTimeAsync(0);
		expect(location.pathname).toBe("/integration/widget");
	},
);

test("a retry that fails at once shows the spinner for half a second, and then focuses its button", async () => {
	await enter("noResponse", "busy");
	part("form")?.dispatchEvent(new SubmitEvent("submit", { cancelable: true }));
	await vi.advanceTimersByTimeAsync(499);
	expect([part("waiting")?.hidden, part("failed")?.hidden]).toEqual([
		false,
		true,
	]);
	await vi.advanceTimersByTimeAsync(1);
	expect([part("waiting")?.hidden, part("failed")?.hidden]).toEqual([
		true,
		false,
	]);
	const button = part("failed")?.querySelector("button");
	expect(button).toHaveFocus();
	expect(button).toHaveAccessibleDescription("Cheio");
});

test("announces a slow validation in an existing live region", async () => {
	startEntry(
		{ first: new Promise(() => {}), validate: () => new Promise(() => {}) },
		"/fonts/inter.woff2",
	);
	await vi.advanceTimersByTimeAsync(7999);
	expect(part("slow")).toBeEmptyDOMElement();
	await vi.advanceTimersByTimeAsync(1);
	expect(part("slow")).toHaveTextContent("Lento");
	expect(document.body, "the focus has not moved").toHaveFocus();
});

test("shows nothing for a moment, then the spinner in place of the form for browsers without scripts", async () => {
	const sent = {
		open: vi.fn(),
		setRequestHeader: vi.fn(),
		send: vi.fn(),
		responseType: "",
	};
	vi.stubGlobal("XMLHttpRequest", function create() {
		return sent;
	});
	history.replaceState(null, "", "/?of-success#error=access_denied");
	await import("./begin");
	expect(validation()).toBe("begun");
	await vi.advanceTimersByTimeAsync(500);
	expect(validation()).toBe("waiting");
	expect(sent.open).toHaveBeenCalledExactlyOnceWith(
		"POST",
		"/api/validate_token",
	);
	const headers = { "content-type": "application/json", accept: "text/html" };
	expect(Object.fromEntries(sent.setRequestHeader.mock.calls)).toEqual(headers);
	expect([sent.responseType, sent.send.mock.lastCall]).toEqual([
		"document",
		['{"input":{"query":"?of-success&error=access_denied"}}'],
	]);
});

test("a browser without cookies goes to the error about them, and uses up no token", async () => {
	vi.resetModules();
	const { replace } = watchLocation();
	const request = vi.fn();
	vi.stubGlobal("XMLHttpRequest", request);
	vi.spyOn(navigator, "cookieEnabled", "get").mockReturnValue(false);
	await import("./begin");
	const first = await window.vinculaEntry?.first;
	expect(request).not.toHaveBeenCalled();
	await enter(first ?? "noResponse");
	expect(replace.mock.calls).toEqual([["/error/cookies-blocked"]]);
});
