import { beforeEach, expect, test, vi } from "vitest";
import type { ConnectStart } from "../generated/types";
import { START, watchLocation } from "../testing/page";
import type { PluggyEvent } from "./pluggy";

const LIMIT_MS = 20_000;

beforeEach(() => {
	// Each test mocks the SDK, and modules are cached.
	vi.resetModules();
	vi.useFakeTimers();
});

/** The options passed to the SDK, whose callbacks accept any data. */
type Props = Record<
	"onSuccess" | "onError" | "onEvent" | "onClose",
	(data?: unknown) => void
>;

type Fake = {
	init: (container: HTMLElement) => Promise<void>;
	construct: (props: Props) => void;
};

/** Opens a widget of a fake SDK; `construct` is its constructor. */
async function open(
	more: Partial<ConnectStart> = {},
	{ init = async () => {}, construct = () => {} }: Partial<Fake> = {},
) {
	let props = {} as Props;
	class PluggyConnect {
		init = init;
		constructor(given: Props) {
			props = given;
			construct(given);
		}
	}
	vi.doMock("pluggy-connect-sdk", () => ({ PluggyConnect }));
	const frame = document.createElement("div");
	const events: PluggyEvent[] = [];
	const { openPluggy } = await import("./pluggy");
	const close = openPluggy(frame, { ...START, ...more }, (one) =>
		events.push(one),
	);
	await vi.dynamicImportSettled();
	return { close, frame, events, props };
}

const error = {
	type: "error",
	message: "unknown",
	itemId: null,
	pending: false,
	bank: null,
};

test("starts the SDK with the server's data, in a container of its own", async () => {
	const init = vi.fn(async () => {});
	const { props, events, frame } = await open({}, { init });
	const { updateItem, cnpj, cpf, selectedConnectorId, ...said } = START;
	const own = {
		products: ["ACCOUNTS", "TRANSACTIONS"],
		language: "pt",
		theme: "light",
		timeout: LIMIT_MS,
		cspNonce: "",
	};
	const callbacks = ["onSuccess", "onError", "onEvent", "onClose"].map(
		(name) => [name, expect.any(Function)],
	);
	const expected = {
		...said,
		...own,
		openFinanceParameters: { cpf },
		...Object.fromEntries(callbacks),
	};
	expect(props).toEqual(expected);
	expect(init).toHaveBeenCalledExactlyOnceWith(frame.firstElementChild);
	expect(events).toEqual([{ type: "opened" }]);
	const update = { updateItem: "link-1", selectedConnectorId: 612 };
	expect(
		(
			await open({
				...update,
				cnpj: "12ABC34501DE35",
			})
		).props,
	).toEqual({
		...expected,
		...update,
		openFinanceParameters: { cpf, cnpj: "12ABC34501DE35" },
	});
});

test("Connect is dark if the system is", async () => {
	vi.stubGlobal("matchMedia", (query: string) => ({
		matches: query === "(prefers-color-scheme: dark)",
	}));
	expect((await open()).props).toMatchObject({ theme: "dark" });
});

test("hides the SDK's leftover frame from the keyboard and from screen readers, but not Connect's", async () => {
	const { frame } = await open(
		{},
		{
			init: async (container) => {
				for (const name of ["__zoid_prerender__pluggy", "__zoid__pluggy"]) {
					const inner = document.createElement("iframe");
					inner.name = name;
					container.append(inner);
				}
			},
		},
	);
	expect(
		[...frame.querySelectorAll("iframe")].map((inner) => [
			inner.getAttribute("aria-hidden"),
			inner.getAttribute("tabindex"),
		]),
	).toEqual([
		["true", "-1"],
		[null, null],
	]);
});

test("emits a success with the item's id, and an error if it has none", async () => {
	const { props, events } = await open();
	for (const data of [
		undefined,
		{},
		{ item: {} },
		{ item: { id: 7 } },
		{ item: { id: "" } },
		{ item: { id: "i".repeat(129) } },
	])
		props.onSuccess(data);
	const longest = "i".repeat(128);
	props.onSuccess({ item: { id: longest } });
	props.onSuccess({ item: { id: "item-1", extra: true } });
	const message = "success without an item's id";
	expect(events.slice(1)).toEqual([
		...Array.from({ length: 6 }, () => ({ ...error, message })),
		{ type: "succeeded", itemId: longest, pending: false, bank: null },
		{ type: "succeeded", itemId: "item-1", pending: false, bank: null },
	]);
});

test("emits errors and leaves the widget open", async () => {
	const { props, events, frame } = await open();
	props.onError({
		message: `refused: ${START.connectToken}`,
		data: { item: { id: "item-1" } },
	});
	await vi.advanceTimersByTimeAsync(LIMIT_MS);
	props.onError("unknown");
	expect(events.slice(1)).toEqual([
		{ ...error, message: "refused: …", itemId: "item-1" },
		error,
	]);
	expect(frame.childElementCount).toBe(1);
});

const circular: Record<string, unknown> = { code: "CIRCULAR" };
circular.error = circular;
const throwing = {
	get message(): string {
		throw new Error("no access");
	},
	code: "THROWS",
};

test.each<[string, unknown, string]>([
	["an error", new TypeError("refused"), "refused"],
	["an error without a message", new TypeError(), "TypeError"],
	["a text", "refused", "refused"],
	[
		"a code",
		{ code: "SITE_NOT_AVAILABLE", codeDescription: "the site is down" },
		"SITE_NOT_AVAILABLE",
	],
	["a blank message", { message: " ", code: "A" }, "A"],
	["a message that is an object", { message: { text: "x" }, code: "A" }, "A"],
	["a message that is a number", { message: 7 }, "7"],
	["a code that is a number", { code: 404 }, "404"],
	["an error inside", { error: { message: "refused" } }, "refused"],
	[
		"the item's error",
		{ data: { item: { id: 7, error: { code: "INVALID_CREDENTIALS" } } } },
		"INVALID_CREDENTIALS",
	],
	[
		"the item's error in words",
		{ data: { item: { error: { message: "wrong password", code: "A" } } } },
		"wrong password",
	],
	["an event", new Event("error"), "error"],
	["a circular object", circular, "CIRCULAR"],
	["a getter that throws", throwing, "THROWS"],
	[
		"a proxy that throws",
		new Proxy({}, { get: () => throwing.message }),
		"unknown error",
	],
	["an object without a prototype", Object.create(null), "unknown error"],
	["an empty object", {}, "unknown error"],
	["a list", [], "unknown error"],
	["a symbol", Symbol("x"), "unknown error"],
	["nothing", undefined, "unknown error"],
	["null", null, "unknown error"],
	["false", false, "unknown error"],
])("the message of %s is a text", async (_what, value, message) => {
	const { props, events } = await open();
	props.onError(value);
	expect(events.slice(1)).toEqual([{ ...error, message }]);
});

test.each<[string, string, string]>([
	["as long as the server keeps", "é".repeat(500), "é".repeat(500)],
	["longer", "x".repeat(20_000), "x".repeat(500)],
	["of pairs", "😀".repeat(501), "😀".repeat(500)],
	[
		"with a document at the cut",
		`${"x".repeat(490)} 529.982.247-25 is blocked`,
		`${"x".repeat(490)} `,
	],
	[
		"with a company's document at the cut",
		`${"x".repeat(489)} 12.ABC.345/01DE-35 is blocked`,
		`${"x".repeat(489)} `,
	],
	["that ends in digits", "code 404", "code 404"],
	[
		"with a digit far from the cut",
		`7${"x".repeat(600)}`,
		`7${"x".repeat(499)}`,
	],
	["of digits", "5".repeat(600), "5".repeat(483)],
	["with half a pair", "a\uD83Db", "a\uFFFDb"],
	[
		"with the connect token at the cut",
		`${"x".repeat(495)}${START.connectToken}${"y".repeat(99)}`,
		`${"x".repeat(495)}…yyyy`,
	],
])("cuts a message %s", async (_what, value, message) => {
	const { props, events } = await open();
	props.onError({ message: value });
	expect(events.at(-1)).toMatchObject({ message });
});

test.each([
	"USER_AUTHORIZATION_PENDING",
	{ message: "USER_AUTHORIZATION_PENDING" },
	{ message: `${"x".repeat(600)} USER_AUTHORIZATION_PENDING` },
	{ codeDescription: "USER_AUTHORIZATION_PENDING" },
	{ error: { code: "USER_AUTHORIZATION_PENDING" } },
	{ message: "x", code: "USER_AUTHORIZATION_PENDING" },
	{
		message: "x",
		data: { item: { id: "i", executionStatus: "USER_AUTHORIZATION_PENDING" } },
	},
	{
		message: "x",
		data: { item: { id: "i", error: { code: "USER_AUTHORIZATION_PENDING" } } },
	},
	{
		message: "x",
		data: { item: { id: "i", hasResourcesPendingAuthorization: true } },
	},
])("recognises a pending approval in %j", async (approval) => {
	const { props, events } = await open();
	props.onError(approval);
	expect(events.at(-1)).toMatchObject({ type: "error", pending: true });
});

test.each([
	{ executionStatus: "USER_AUTHORIZATION_PENDING" },
	{ hasResourcesPendingAuthorization: true },
	{
		status: "UPDATED",
		executionStatus: "PARTIAL_SUCCESS",
		hasResourcesPendingAuthorization: true,
	},
	{ error: { code: "USER_AUTHORIZATION_PENDING" } },
])("recognises a success that waits for an approval in %j", async (more) => {
	const { props, events } = await open();
	props.onSuccess({ item: { id: "item-1", ...more } });
	expect(events.at(-1)).toEqual({
		type: "succeeded",
		itemId: "item-1",
		pending: true,
		bank: null,
	});
});

test("emits closing by the person once, by the page not at all, and a later success", async () => {
	for (const byUs of [false, true]) {
		const { close, props, events, frame } = await open();
		if (byUs) close();
		for (let times = 0; times < 2; times += 1) props.onClose();
		expect(frame).toBeEmptyDOMElement();
		props.onSuccess({ item: { id: "item-1" } });
		const closed = byUs ? [] : [{ type: "closed" }];
		expect(events.slice(1)).toEqual([
			...closed,
			{ type: "succeeded", itemId: "item-1", pending: false, bank: null },
		]);
	}
});

const after = (ms: number) => new Promise<void>((done) => setTimeout(done, ms));
const refuse = () => {
	throw new TypeError("refused");
};

test.each<[string, Partial<Fake>, string, number]>([
	[
		"a page that responds too late",
		{ init: () => after(30_000) },
		"no answer in 20000 ms",
		0,
	],
	[
		"a rejection after that",
		{ init: () => after(30_000).then(refuse) },
		"no answer in 20000 ms",
		0,
	],
	["a rejection", { init: async () => refuse() }, "refused", 1],
	["a constructor that throws", { construct: refuse }, "refused", 1],
])(
	"%s is one failure within 20 seconds, and removes the widget",
	async (_what, fake, message, early) => {
		const { events, frame } = await open({}, fake);
		await vi.advanceTimersByTimeAsync(LIMIT_MS - 1);
		expect(events).toHaveLength(early);
		await vi.advanceTimersByTimeAsync(1);
		expect(events).toEqual([{ ...error, type: "failed", message }]);
		expect(frame).toBeEmptyDOMElement();
		await vi.advanceTimersByTimeAsync(LIMIT_MS);
		expect(events).toHaveLength(1);
	},
);

/** Fires the event of a violation of the page's policy. */
function violate(blockedURI: string, effectiveDirective = "frame-src"): void {
	document.dispatchEvent(
		Object.assign(new Event("securitypolicyviolation"), {
			effectiveDirective,
			blockedURI,
		}),
	);
}

test.each([
	["https://moved.example", "moved.example"],
	["https://moved.example:8443/path?token=secret", "moved.example:8443"],
	["data", "data"],
])(
	"a frame that the policy blocks (%s) is one failure, at once",
	async (url, host) => {
		const { events, frame } = await open({}, { init: () => after(30_000) });
		violate(url);
		violate(url);
		await vi.advanceTimersByTimeAsync(LIMIT_MS);
		expect(events).toEqual([
			{ ...error, type: "failed", message: `blocked: ${host}` },
		]);
		expect(frame).toBeEmptyDOMElement();
	},
);

test("ignores what the policy blocks of others, and once the widget is open", async () => {
	const { events, frame } = await open({}, { init: () => after(1000) });
	document.body.append(frame);
	const inserted = document.createElement("iframe");
	inserted.src = "https://extension.example/bar";
	document.body.append(inserted);
	violate("https://extension.example");
	violate("https://beacon.example", "script-src-elem");
	await vi.advanceTimersByTimeAsync(1000);
	violate("https://bank.example");
	expect(events).toEqual([{ type: "opened" }]);
});

test("neither opens nor fails if it is closed while opening", async () => {
	const construct = vi.fn();
	const { close, events } = await open(
		{},
		{ init: () => after(1000), construct },
	);
	close();
	const { openPluggy } = await import("./pluggy");
	openPluggy(document.createElement("div"), START, (event) =>
		events.push(event),
	)();
	await vi.dynamicImportSettled();
	await vi.advanceTimersByTimeAsync(LIMIT_MS);
	expect([events, construct.mock.calls.length]).toEqual([[], 1]);
});

test("gives up on an SDK that never loads", async () => {
	const events: PluggyEvent[] = [];
	const { openPluggy } = await import("./pluggy");
	openPluggy(document.createElement("div"), START, (one) => events.push(one));
	vi.advanceTimersByTime(LIMIT_MS);
	expect(events).toEqual([
		{ ...error, type: "failed", message: "no answer in 20000 ms" },
	]);
});

test("fails if the SDK cannot be imported, and marks it as lost without a reload", async () => {
	const { reload } = watchLocation();
	vi.doMock("pluggy-connect-sdk", () => {
		throw new Error("lost");
	});
	const events: PluggyEvent[] = [];
	const { isSdkLost, openPluggy } = await import("./pluggy");
	expect(isSdkLost()).toBe(false);
	for (let times = 1; times < 3; times += 1) {
		openPluggy(document.createElement("div"), START, (one) => events.push(one));
		await vi.waitFor(() => expect(events).toHaveLength(times));
	}
	expect(events.map(({ type }) => type)).toEqual(["failed", "failed"]);
	expect(isSdkLost()).toBe(true);
	expect(reload).not.toHaveBeenCalled();
});

const NUBANK = { id: 612, name: "Nubank" };
const NAMED = { ...NUBANK, name: ` ${"é".repeat(79)}😀x` };

/** `chosen`: the connectors chosen inside Connect. `connector`: the item's. */
test.each<[string, { chosen?: unknown[]; connector?: unknown }, string | null]>(
	[
		[
			"the item names",
			{ chosen: [NUBANK], connector: { name: " Inter " } },
			"Inter",
		],
		[
			"the item names, of 80 characters at most",
			{ connector: NAMED },
			`${"é".repeat(79)}😀`,
		],
		[
			"was chosen last inside Connect",
			{ chosen: [{ id: 1, name: "A" }, NUBANK] },
			"Nubank",
		],
		[
			"was chosen inside Connect, if the item's name is not a text",
			{ chosen: [NUBANK], connector: { name: 7 } },
			"Nubank",
		],
		[
			"was chosen inside Connect, if the item's name is blank",
			{ chosen: [NUBANK], connector: { name: " " } },
			"Nubank",
		],
		["was chosen before, without a choice inside Connect", {}, null],
		[
			"was chosen before, if the same one is chosen without a name",
			{ chosen: [{ id: 601 }] },
			null,
		],
		[
			"is not known, if another one is chosen without a name",
			{ chosen: [{ id: 612 }] },
			"",
		],
		["is not known, if one without an id is chosen", { chosen: [null] }, ""],
	],
)(
	"a success and an error carry the bank that %s",
	async (_which, { chosen = [], connector }, bank) => {
		const { props, events } = await open({ selectedConnectorId: 601 });
		for (const payload of [undefined, null, "SELECTED_INSTITUTION", []])
			props.onEvent(payload);
		for (const one of chosen)
			props.onEvent({ event: "SELECTED_INSTITUTION", connector: one });
		props.onEvent({ event: "SUBMITTED_LOGIN", connector: { name: "Other" } });
		const data = { item: { id: "item-1", connector } };
		props.onSuccess(data);
		props.onError({ data });
		expect(events.slice(-2)).toMatchObject([
			{ type: "succeeded", bank },
			{ type: "error", bank },
		]);
	},
);

test("the bank is not known if one without an id is chosen and none was chosen before", async () => {
	const { props, events } = await open({ selectedConnectorId: null });
	props.onEvent({ event: "SELECTED_INSTITUTION" });
	props.onSuccess({ item: { id: "item-1" } });
	expect(events.at(-1)).toMatchObject({ bank: "" });
});
