import {
	act,
	createEvent,
	fireEvent,
	screen,
	within,
} from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { flushSync } from "react-dom";
import { describe, expect, test, vi } from "vitest";
import type { ConnectStart, ItemInput } from "../generated/types";
import type { KeptItem } from "../page/items";
import { screens } from "../prerender";
import {
	type Answer,
	answerActions,
	CONTEXT,
	deferred,
	heard,
	keptItem,
	mountIsland,
	openPage,
	page,
	putContext,
	putHost,
	REQUEST_FAILED,
	renderTemplate,
	START,
	toasts,
	unmountIslands,
	watchLocation,
} from "../testing/page";
import { mount as mountUpdate } from "../update";
import { mount } from "./index";
import { isSdkLost, openPluggy, type PluggyEvent } from "./pluggy";

vi.mock("./pluggy");

const OPENING = "Abrindo a conexão com Itaú, pela Pluggy…";
const started: Answer = { body: START };
const success: Answer = {
	body: { to: "/integration/success", item: "accepted" },
};
const kept: Answer = { body: { to: "/integration/success", item: "kept" } };
const REFUSED = { navigate: { to: "/error/x" } };
const pending: PluggyEvent = {
	type: "error",
	message: "PENDING",
	itemId: "item-1",
	pending: true,
	bank: "Nubank",
};
const failed: PluggyEvent = {
	type: "failed",
	message: "blocked",
	itemId: null,
	pending: false,
	bank: null,
};
const succeeded = (
	itemId: string,
	more: { pending?: boolean; bank?: string } = {},
): PluggyEvent => ({
	type: "succeeded",
	itemId,
	pending: false,
	bank: null,
	...more,
});
/** The input of `finish_connect` and `submit_item`. */
const item = (itemId: string, more: Partial<ItemInput> = {}) => ({
	session: "s-1",
	itemId,
	kind: "success",
	bank: "Itaú",
	waits: false,
	renews: "",
	ageSecs: expect.any(Number),
	again: false,
	...more,
});
/** The items that the browser has stored. */
const stored = () =>
	JSON.parse(localStorage.getItem("vincula-items:s-1") ?? "[]");
/** Nothing can be stored, as on a phone that is full. */
const fillStore = () =>
	vi.spyOn(Storage.prototype, "setItem").mockImplementation(() => {
		throw new DOMException("full", "QuotaExceededError");
	});

/** The responses for connect tokens and for items, in turn; the last one repeats. */
type Given = {
	open?: Answer[];
	finish?: Answer[];
	close?: Answer[];
	submit?: Answer[];
	isUpdate?: boolean;
	bank?: string;
};

type PluggyWindow = {
	frame: Element;
	start: ConnectStart;
	emit: (event: PluggyEvent) => void;
	isOpen: boolean;
};

/** Hydrates the prerendered screen. Pluggy's windows are fakes, whose events the test emits. */
async function show({
	open = [started],
	finish = [success],
	close = [{ body: {} }],
	submit = [success],
	isUpdate = false,
	bank = CONTEXT.bank,
}: Given = {}) {
	document.body.dataset.page = isUpdate ? "update" : "connect";
	const { replace, reload } = watchLocation();
	const calls = answerActions({
		open_connect: open,
		finish_connect: finish,
		close_connect: close,
		submit_item: submit,
	});
	const windows: PluggyWindow[] = [];
	vi.mocked(openPluggy).mockImplementation((frame, start, emit) => {
		const one = { frame, start, emit, isOpen: true };
		windows.push(one);
		let isNew = true;
		queueMicrotask(() => {
			isNew = false;
		});
		return () => {
			one.isOpen = false;
			// A window that is closed in the same task, as in React's strict mode, has loaded nothing.
			if (isNew) windows.splice(windows.indexOf(one), 1);
		};
	});
	putContext({ ...CONTEXT, bank });
	const { customerName } = CONTEXT;
	const html = isUpdate ? screens.update : screens.connect;
	// The server has the words for an unknown bank.
	const texts = { customerName, bank: bank || "o seu banco" };
	const host = putHost(renderTemplate(html, texts));
	await mountIsland(isUpdate ? mountUpdate : mount, host);
	const emit = (event: PluggyEvent, at = -1) =>
		act(async () => windows.at(at)?.emit(event));
	const inputs = (action: string) =>
		calls.filter((call) => call.action === action).map(({ input }) => input);
	return { host, calls, inputs, replace, reload, windows, emit };
}

/** Expects a card with this title, which soon has the focus and which no live region announces. */
async function expectCard(
	title: string,
	toast: string[] = [REQUEST_FAILED],
): Promise<void> {
	const heading = screen.getByRole("heading", { level: 2, name: title });
	expect(
		heading,
		"screen readers miss a focus right after the dialog has closed",
	).not.toHaveFocus();
	await vi.waitFor(() => expect(heading).toHaveFocus());
	expect(heading).toHaveAccessibleDescription(
		heading.nextElementSibling?.textContent ?? "",
	);
	expect(screen.queryByRole("alert")).not.toBeInTheDocument();
	expect([heard(), toasts()]).toEqual([[], toast]);
}

const retry = () =>
	userEvent.click(screen.getByRole("button", { name: "Tentar de novo" }));

test("shows a spinner, then the widget in a modal dialog; once it is open the page below is silent", async () => {
	vi.useFakeTimers();
	const showModal = vi.spyOn(HTMLDialogElement.prototype, "showModal");
	const token = deferred<{ body: unknown }>();
	const { windows, inputs, calls, emit } = await show({
		open: [token.promise],
	});
	expect(inputs("open_connect")).toEqual([{ session: "s-1" }]);
	const bankName = screen.getByText("Itaú");
	expect(bankName).toHaveAttribute("translate", "no");
	expect(bankName.parentElement).toHaveTextContent(OPENING);
	await act(() => vi.advanceTimersByTimeAsync(200));
	expect(heard()).toEqual([OPENING]);
	expect(screen.getByRole("link", { name: "Voltar" })).toHaveAttribute(
		"href",
		"/integration/accounts",
	);
	await act(async () => token.settle({ body: START }));
	const dialog = screen.getByRole("dialog", { name: "Conexão com o banco" });
	expect(showModal.mock.contexts.at(-1)).toBe(dialog);
	const frame = windows[0]?.frame;
	expect(frame).toHaveAttribute("aria-busy", "true");
	expect(dialog, "next to the window").toHaveTextContent(
		"Esta janela é da Pluggy",
	);
	expect(dialog, "only an update says why").not.toHaveTextContent("renovar");
	expect(
		screen.getByText("Deixe à mão o aplicativo e a senha do banco."),
		"the same text as before, below the dialog",
	).toBeInTheDocument();
	expect(windows).toMatchObject([{ start: START, isOpen: true }]);
	expect(dialog).toContainElement(windows[0]?.frame as HTMLElement);
	expect(
		screen.queryByRole("link"),
		"no region that the open dialog makes inert",
	).not.toBeInTheDocument();
	await act(() => vi.advanceTimersByTimeAsync(200));
	expect(heard()).toEqual([]);
	await emit({ type: "opened" });
	expect(frame).toHaveAttribute("aria-busy", "false");
	expect(calls.map(({ action }) => action)).toEqual(["open_connect"]);
	await act(() => vi.advanceTimersByTimeAsync(20_000));
	expect(heard()).toEqual([
		"Passo 4 de 5: Entrar no banco. A janela do banco está aberta.",
	]);
});

test("names no bank if the session knows none", async () => {
	vi.useFakeTimers();
	const unknown = "Abrindo a conexão com o seu banco, pela Pluggy…";
	await show({ open: [deferred<never>().promise], bank: "" });
	expect(
		screen.getByText(unknown),
		"one text, without a name that translators would leave",
	).toBeInTheDocument();
	await act(() => vi.advanceTimersByTimeAsync(200));
	expect(heard()).toEqual([unknown]);
});

test("focuses the dialog's title", async () => {
	await show();
	const title = within(screen.getByRole("dialog")).getByRole("heading", {
		name: "Conexão com o banco",
	});
	expect(title).toHaveFocus();
});

test("announces each wait in one live region that stays in place", async () => {
	vi.useFakeTimers();
	const shortly = () => act(() => vi.advanceTimersByTimeAsync(200));
	const unanswered = deferred<never>();
	const { emit, host } = await show({
		finish: ["offline", unanswered.promise],
	});
	const region = host.querySelector(":scope > [aria-live]");
	await emit(succeeded("item-1"));
	await shortly();
	expect(region, "a card has the focus").toBeEmptyDOMElement();
	await userEvent
		.setup({ delay: null })
		.click(screen.getByRole("button", { name: "Tentar de novo" }));
	expect(region, "not before the card is gone").toBeEmptyDOMElement();
	await shortly();
	expect(region).toHaveTextContent(/^Confirmando a conexão da sua conta…$/);
	expect(host.querySelector(":scope > [aria-live]")).toBe(region);
});

describe("Escape", () => {
	const press = (more = {}) => {
		const event = createEvent.keyDown(document.activeElement ?? document.body, {
			key: "Escape",
			...more,
		});
		fireEvent(document.activeElement ?? document.body, event);
		return event;
	};

	test.each(["the title", "a button", "nothing"])(
		"with the focus on %s navigates away without stopping the navigation",
		async (where) => {
			const { replace, windows } = await show();
			// The SDK does the same.
			const closeToo = () =>
				flushSync(() => windows.at(-1)?.emit({ type: "closed" }));
			document.addEventListener("keydown", closeToo, { once: true });
			if (where === "a button")
				screen.getByRole("button", { name: "Fechar" }).focus();
			if (where === "nothing") (document.activeElement as HTMLElement).blur();
			expect(press().defaultPrevented).toBe(true);
			await act(async () => {});
			expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
			expect(press({ repeat: true }).defaultPrevented, "still held").toBe(true);
			expect(replace).toHaveBeenCalledOnce();
			expect(
				press().defaultPrevented,
				"a second press is left to the browser",
			).toBe(false);
		},
	);

	test("closes the dialog even if the SDK ignores it", async () => {
		const { replace, windows } = await show();
		press();
		await act(async () => {});
		expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
		expect(windows).toMatchObject([{ isOpen: false }]);
	});

	test("is the only key that is prevented", async () => {
		const { replace } = await show();
		for (const repeat of [false, true])
			expect(press({ key: "ArrowDown", repeat }).defaultPrevented).toBe(false);
		expect(replace).not.toHaveBeenCalled();
	});

	test("is left to the browser by a screen that was replaced", async () => {
		await show();
		await unmountIslands();
		for (const repeat of [false, true])
			expect(press({ repeat }).defaultPrevented).toBe(false);
	});

	test("has no effect on a page stopped by another tab", async () => {
		const { replace } = await show();
		void page.client.handleFailure("other_tab");
		expect(press().defaultPrevented).toBe(false);
		expect(replace).not.toHaveBeenCalled();
	});
});

test("the back gesture of a phone closes the dialog and navigates to the accounts", async () => {
	const { replace } = await show();
	const back = createEvent("cancel", screen.getByRole("dialog"), {
		cancelable: true,
	});
	fireEvent(screen.getByRole("dialog"), back);
	expect(back.defaultPrevented, "it would stop the navigation").toBe(true);
	await act(async () => {});
	expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
});

test("an update shows the firm and the reason before and next to the window", async () => {
	const token = deferred<{ body: unknown }>();
	const { emit } = await show({
		open: [token.promise],
		isUpdate: true,
	});
	const asks =
		'Contábil "Horizonte" & Filhos pediu para renovar a conexão com o seu banco.';
	expect(screen.getByRole("heading", { level: 1 })).toHaveTextContent(asks);
	await act(async () => token.settle({ body: START }));
	expect(screen.getByRole("dialog")).toHaveTextContent(
		`${asks}O banco precisa que você confirme a conexão de novo. Os extratos já recebidos continuam com o escritório.`,
	);
	expect(
		screen.getAllByRole("heading", { level: 1, hidden: true }),
	).toHaveLength(1);
	await emit({ type: "opened" });
	await vi.waitFor(() =>
		expect(heard(), "without a step").toEqual([
			"A janela do banco está aberta.",
		]),
	);
});

test("a success closes the dialog, is kept until the server has it, and navigates once; a second account stays kept", async () => {
	const finish = deferred<{ body: unknown }>();
	const { emit, host, inputs, replace, windows } = await show({
		finish: [finish.promise],
	});
	await emit(succeeded("item-1"));
	expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
	expect(windows).toMatchObject([{ isOpen: false }]);
	expect(stored()).toEqual([
		keptItem({ at: expect.any(Number), state: "sent" }),
	]);
	await emit({ type: "closed" });
	await emit(succeeded("item-2"));
	expect(replace).not.toHaveBeenCalled();
	await act(async () =>
		finish.settle({
			body: { to: "/integration/success", item: "accepted" },
		}),
	);
	expect(host).toHaveTextContent(
		/Confirmando a conexão da sua conta…Não feche esta página\.$/,
	);
	expect(screen.getByRole("heading", { level: 1 })).toHaveAccessibleDescription(
		"Passo 5 de 5: Confirmar",
	);
	expect(stored()).toMatchObject([{ itemId: "item-2", state: "new" }]);
	await emit(succeeded("item-1"));
	expect(inputs("finish_connect")).toEqual([item("item-1")]);
	expect(replace.mock.calls).toEqual([["/integration/success"]]);
});

test("reports a close before the page navigates, and waits two seconds at most", async () => {
	const { emit, calls, replace } = await show({
		close: [deferred<never>().promise],
	});
	vi.useFakeTimers();
	await emit({ type: "closed" });
	expect(calls.slice(1), "by a request that outlives the page").toMatchObject([
		{
			action: "close_connect",
			input: { session: "s-1" },
			init: { keepalive: true },
		},
	]);
	await act(() => vi.advanceTimersByTimeAsync(1999));
	expect(replace).not.toHaveBeenCalled();
	await act(() => vi.advanceTimersByTimeAsync(1));
	expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
});

test.each(["other_tab", "no_session"])(
	"a close that the server declines with %s stops the page",
	async (kind) => {
		const { emit, host, replace } = await show({
			close: [{ status: 409, body: kind }],
		});
		await emit({ type: "closed" });
		expect(page.client.stopped.aborted).toBe(true);
		expect(replace).not.toHaveBeenCalled();
		expect(host).toHaveTextContent(/Conexão com o banco$/);
	},
);

test("a close that fails otherwise navigates to the accounts", async () => {
	const { emit, replace } = await show({
		close: [{ status: 422, body: REFUSED }],
	});
	await emit({ type: "closed" });
	expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
});

test("a success while the close is under way leads to its own target", async () => {
	const close = deferred<{ body: unknown }>();
	const { emit, replace } = await show({ close: [close.promise] });
	await emit({ type: "closed" });
	await emit(succeeded("item-1"));
	await act(async () => close.settle({ body: {} }));
	expect(replace.mock.calls).toEqual([["/integration/success"]]);
});

test("closing without a success navigates to the accounts; a later success still counts", async () => {
	const { emit, host, replace, inputs, windows } = await show();
	await userEvent.click(screen.getByRole("button", { name: "Fechar" }));
	expect(host).toHaveTextContent(/Voltando para as suas contas…$/);
	expect(windows).toMatchObject([{ isOpen: false }]);
	expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
	await emit(succeeded("item-1"));
	expect(inputs("finish_connect")).toEqual([item("item-1")]);
	expect(replace).toHaveBeenLastCalledWith("/integration/success");
});

test("reports errors by requests that outlive the page, with the widget open", async () => {
	const { emit, calls } = await show();
	await emit({
		type: "error",
		message: "INVALID",
		itemId: "item-1",
		pending: false,
		bank: null,
	});
	const error = { session: "s-1", message: "INVALID", itemId: "item-1" };
	expect(calls.slice(1)).toMatchObject([
		{ action: "report_connect_error", input: error, init: { keepalive: true } },
	]);
	expect(screen.getByRole("dialog")).toBeInTheDocument();
	expect(screen.queryByText(/^Aguardando/)).not.toBeInTheDocument();
});

test("a pending approval is recorded and submitted, shown until it is dismissed, and links to the accounts", async () => {
	const told = deferred<{ body: unknown }>();
	const { calls, emit, replace } = await show({
		finish: [kept],
		submit: [told.promise],
	});
	const notice = () =>
		screen.queryByText("Aguardando a aprovação de outro responsável");
	await emit(pending);
	const input = { kind: "pending", bank: "Nubank", waits: true } as const;
	expect(calls.slice(1)).toMatchObject([
		{
			action: "finish_connect",
			input: item("item-1", input),
			init: { keepalive: false },
		},
		{
			action: "submit_item",
			input: item("item-1", { ...input, again: true }),
			init: { keepalive: true },
		},
	]);
	expect(notice(), "until it is known").not.toBeInTheDocument();
	expect(stored()).toMatchObject([{ kind: "pending", state: "kept" }]);
	await act(async () => told.settle({ body: { item: "accepted" } }));
	expect(notice()).toBeVisible();
	expect(stored()).toEqual([]);
	expect(screen.queryByRole("alert")).not.toBeInTheDocument();
	expect(
		screen.getByRole("button", { name: "Voltar para as contas" }),
	).toBeVisible();
	expect(heard().filter((text) => text?.startsWith("Aguardando"))).toEqual([
		expect.stringMatching(/^Aguardando .* Você já pode fechar esta página\.$/),
	]);
	await userEvent.click(
		screen.getByRole("button", { name: "Ocultar este aviso" }),
	);
	expect(screen.getByRole("heading", { level: 2 })).toHaveFocus();
	await emit(pending);
	expect(notice()).not.toBeInTheDocument();
	expect(replace).not.toHaveBeenCalled();
});

test.each<[string, Given]>([
	["is not recorded", { finish: ["offline"] }],
	["has no response", { finish: [kept], submit: ["offline"] }],
	[
		"the widget API refuses",
		{ finish: [kept], submit: [{ body: { item: "refused" } }] },
	],
])(
	"a pending approval that %s does not say that the person may leave",
	async (_what, given) => {
		const { emit } = await show(given);
		await emit(pending);
		expect(heard().join()).toContain("Aguardando a aprovação");
		expect(document.body).not.toHaveTextContent(
			"Você já pode fechar esta página.",
		);
		expect(screen.getByRole("dialog")).toBeInTheDocument();
	},
);

test("a pending approval that could not be recorded is recorded every half minute, and not once it is a success", async () => {
	vi.useFakeTimers();
	const { emit, inputs } = await show({ finish: ["offline"] });
	await emit(pending);
	await act(() => vi.advanceTimersByTimeAsync(29_999));
	expect(inputs("finish_connect")).toHaveLength(1);
	await act(() => vi.advanceTimersByTimeAsync(1));
	const input = { kind: "pending", bank: "Nubank", waits: true } as const;
	expect(inputs("finish_connect")).toEqual([
		item("item-1", input),
		item("item-1", { ...input, again: true }),
	]);
	await emit(succeeded("item-1"));
	await act(() => vi.advanceTimersByTimeAsync(30_000));
	expect(inputs("finish_connect").slice(2)).toMatchObject([
		{ kind: "success" },
		{ kind: "success" },
	]);
});

test.each<[string, Answer, string[][], string[]]>([
	[
		"that is refused for good",
		{ status: 422, body: REFUSED },
		[["/error/x"]],
		[],
	],
	["of a replaced session", { status: 409, body: "other_tab" }, [], ["item-1"]],
])(
	"the page reacts to a pending approval %s",
	async (_which, finish, goes, keeps) => {
		const { emit, replace } = await show({ finish: [finish] });
		await emit(pending);
		expect(replace.mock.calls).toEqual(goes);
		expect(page.client.stopped.aborted).toBe(goes.length === 0);
		expect(stored()).toMatchObject(keeps.map((itemId) => ({ itemId })));
		expect(screen.queryByRole("dialog")).not.toBeInTheDocument();
	},
);

test("a close waits until a pending approval is recorded, because both change the session", async () => {
	const recorded = deferred<{ body: unknown }>();
	const { emit, inputs, replace } = await show({
		finish: [recorded.promise],
		submit: [deferred<never>().promise],
	});
	await emit(pending);
	await emit({ type: "closed" });
	expect(inputs("close_connect")).toEqual([]);
	await act(async () => recorded.settle({ body: { to: null, item: "kept" } }));
	expect(inputs("close_connect")).toHaveLength(1);
	expect(replace.mock.calls).toEqual([["/integration/accounts"]]);
});

test("a pending approval without an item is reported and shown, and nothing is kept", async () => {
	const { emit, inputs } = await show();
	await emit({ ...pending, itemId: null });
	expect(inputs("report_connect_error")).toEqual([
		{ session: "s-1", message: "PENDING", itemId: null },
	]);
	expect(inputs("finish_connect")).toEqual([]);
	expect(stored()).toEqual([]);
	expect(heard().join()).toContain("Aguardando a aprovação");
});

test.each([
	["Connect names it", "Nubank", "Nubank"],
	["another one was chosen inside Connect", "", ""],
	["it was chosen before", null, "Itaú"],
])("an item has its bank if %s", async (_when, bank, sent) => {
	const updateItem = "link-1";
	const { emit, inputs } = await show({
		open: [{ body: { ...START, updateItem } }],
	});
	await emit({ type: "succeeded", itemId: "item-1", pending: true, bank });
	expect(inputs("finish_connect")).toEqual([
		item("item-1", { bank: sent, waits: true, renews: updateItem }),
	]);
});

test("a widget that does not open can be retried with a new token; of its late events only a success counts", async () => {
	const closed = vi.spyOn(HTMLDialogElement.prototype, "close");
	const { emit, windows, inputs } = await show({
		open: [started, { body: { ...START, connectToken: "token-2" } }],
	});
	closed.mockClear();
	await emit(failed);
	expect(closed, "gives the focus back").toHaveBeenCalledOnce();
	expect(inputs("report_connect_error")).toMatchObject([
		{ message: "blocked" },
	]);
	await expectCard("Não foi possível abrir a conexão com o banco", []);
	await retry();
	expect(windows.map(({ start }) => start.connectToken)).toEqual([
		"token",
		"token-2",
	]);
	await emit({ ...pending, itemId: "item-0" }, 0);
	expect(inputs("finish_connect")).toMatchObject([{ itemId: "item-0" }]);
	expect(screen.getByRole("dialog")).not.toHaveTextContent("Aguardando");
	await emit(succeeded("item-1"), 0);
	expect(inputs("finish_connect").slice(1)).toEqual([item("item-1")]);
});

test("if the SDK is lost, a retry reloads the page before requesting another token", async () => {
	const { emit, inputs, reload } = await show();
	await emit(failed);
	vi.mocked(isSdkLost).mockReturnValueOnce(true);
	await retry();
	expect(reload).toHaveBeenCalledOnce();
	expect(inputs("open_connect")).toHaveLength(1);
});

test.each([false, true])(
	"without a connect token shows a card each time, with a retry; for an update: %s",
	async (isUpdate) => {
		const third = deferred<{ body: unknown }>();
		const { windows } = await show({
			open: ["offline", "offline", third.promise],
			isUpdate,
		});
		for (const _ of ["first", "second"]) {
			await expectCard("Não foi possível abrir a conexão com o banco");
			await retry();
		}
		expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
		await act(async () => third.settle({ body: START }));
		expect(windows).toHaveLength(1);
	},
);

test("a refused token navigates to the server's target without claiming a connection", async () => {
	const { windows, replace, host } = await show({
		open: [{ status: 422, body: REFUSED }],
	});
	expect(replace.mock.calls).toEqual([["/error/x"]]);
	expect(windows).toEqual([]);
	expect(host).toHaveTextContent(/Só um momento…$/);
});

test("stops without waiting if another tab has replaced the session", async () => {
	vi.useFakeTimers();
	const { windows, replace, host } = await show({
		open: [{ status: 409, body: "other_tab" }],
	});
	expect(replace).not.toHaveBeenCalled();
	expect(windows).toEqual([]);
	await act(() => vi.advanceTimersByTimeAsync(10_000));
	expect(host).toHaveTextContent(/Conexão com o banco$/);
});

test("an unconfirmed connection shows a card each time, and a retry confirms the same item", async () => {
	const { emit, inputs, replace, windows } = await show({
		finish: ["offline", "offline", success],
	});
	await act(async () =>
		["item-1", "item-2"].forEach((id) => void windows[0]?.emit(succeeded(id))),
	);
	await emit(succeeded("item-2"));
	for (const _ of ["first", "second"]) {
		await expectCard("Sua conta foi conectada, mas não conseguimos confirmar");
		await retry();
	}
	expect(screen.getByRole("heading", { level: 1 })).toHaveFocus();
	expect(inputs("finish_connect")).toEqual([
		item("item-1"),
		item("item-1", { again: true }),
		item("item-1", { again: true }),
	]);
	expect(replace.mock.calls).toEqual([["/integration/success"]]);
	expect(windows).toHaveLength(1);
});

test("an unconfirmed connection is confirmed every half minute, while the card stays as it is", async () => {
	vi.useFakeTimers();
	const third = deferred<{ body: unknown }>();
	const { emit, inputs, replace } = await show({
		finish: ["offline", "offline", third.promise],
	});
	await emit(succeeded("item-1"));
	await act(() => vi.advanceTimersByTimeAsync(29_999));
	expect(inputs("finish_connect")).toHaveLength(1);
	const button = screen.getByRole("button", { name: "Tentar de novo" });
	act(() => button.focus());
	await act(() => vi.advanceTimersByTimeAsync(1));
	await act(() => vi.advanceTimersByTimeAsync(30_000));
	expect(inputs("finish_connect")).toHaveLength(3);
	expect(button).toHaveFocus();
	expect([heard(), toasts()]).toEqual([[], []]);
	// Takes the answer of the attempt that is under way.
	await userEvent.setup({ delay: null }).click(button);
	expect(button).not.toBeInTheDocument();
	await act(async () => third.settle({ body: { to: "/x", item: "accepted" } }));
	expect(inputs("finish_connect")).toHaveLength(3);
	expect(replace.mock.calls).toEqual([["/x"]]);
});

describe("without a working store", () => {
	test("a success that the API does not have yet stays on the card until a retry submits it", async () => {
		fillStore();
		const { calls, emit, inputs, replace } = await show({
			finish: [kept],
			submit: [kept, success],
		});
		await emit(succeeded("item-1"));
		expect(replace).not.toHaveBeenCalled();
		await expectCard(
			"Sua conta foi conectada, mas não conseguimos confirmar",
			[],
		);
		expect(document.body).not.toHaveTextContent(/fechar/);
		await retry();
		expect(replace).not.toHaveBeenCalled();
		await retry();
		expect(inputs("submit_item")).toEqual(
			Array(2).fill(item("item-1", { again: true })),
		);
		expect(inputs("finish_connect")).toHaveLength(1);
		expect(calls.map(({ action }) => action)).not.toContain("confirm_success");
		expect(replace.mock.calls).toEqual([["/integration/success"]]);
	});

	test("it is also submitted every half minute", async () => {
		vi.useFakeTimers();
		fillStore();
		const { emit, inputs, replace } = await show({
			finish: [kept],
			submit: ["offline", success],
		});
		await emit(succeeded("item-1"));
		for (const goes of [[], [["/integration/success"]]]) {
			await act(() => vi.advanceTimersByTimeAsync(30_000));
			expect(replace.mock.calls).toEqual(goes);
		}
		expect(inputs("submit_item")).toHaveLength(2);
	});

	test.each<[string, Given]>([
		["at once", { finish: [{ body: { to: "/x", item: "refused" } }] }],
		[
			"by a later submission",
			{ finish: [kept], submit: [{ body: { item: "refused" } }] },
		],
	])("a success that is refused %s says so", async (_when, given) => {
		vi.useFakeTimers();
		fillStore();
		const { emit, replace } = await show(given);
		await emit(succeeded("item-1"));
		await act(() => vi.advanceTimersByTimeAsync(30_000));
		const title = screen.getByRole("heading", { level: 2 });
		expect(title).toHaveFocus();
		expect(title.parentElement).toHaveTextContent(
			/^A conta foi conectada no banco, mas o sistema do escritório não a aceitou\.Avise o escritório: só ele pode resolver\.Voltar para as contas$/,
		);
		expect(screen.getByRole("link")).toHaveAttribute(
			"href",
			"/integration/accounts",
		);
		expect(screen.queryByRole("button")).not.toBeInTheDocument();
		expect(replace).not.toHaveBeenCalled();
	});
});

test("with a working store, a success that the API does not have yet leads on", async () => {
	const { emit, replace } = await show({ finish: [kept] });
	await emit(succeeded("item-1"));
	expect(replace.mock.calls).toEqual([["/integration/success"]]);
	expect(stored()).toMatchObject([{ state: "kept" }]);
});

test.each([
	["an outage keeps the item", 500, true],
	["a refusal for good forgets the item", 422, false],
])(
	"%s, and navigates to the server's target",
	async (_what, status, isKept) => {
		const { emit, replace, host } = await show({
			finish: [{ status, body: REFUSED }],
		});
		await emit(succeeded("item-1"));
		expect(replace.mock.calls).toEqual([["/error/x"]]);
		expect(stored()).toHaveLength(isKept ? 1 : 0);
		expect(host).not.toHaveTextContent("Confirmando");
	},
);

/** Keeps items as an earlier page. */
function leave(...earlier: Partial<KeptItem>[]): void {
	for (const more of earlier) page.items.keep("s-1", keptItem(more));
	openPage();
}

test.each(["new", "sent"] as const)(
	"finishes a success that an earlier page left %s, as a new one, without opening the bank",
	async (state) => {
		leave({ state, bank: "Inter" });
		const { calls, windows, replace } = await show({
			finish: ["offline", success],
		});
		await expectCard("Sua conta foi conectada, mas não conseguimos confirmar");
		await retry();
		const again = state === "sent";
		expect(calls).toMatchObject([
			{
				action: "finish_connect",
				input: item("item-1", { again, bank: "Inter" }),
			},
			{ action: "finish_connect", input: { again: true } },
		]);
		expect(windows).toEqual([]);
		expect(replace.mock.calls).toEqual([["/integration/success"]]);
	},
);

test.each(["kept", "refused"] as const)(
	"opens another bank although an earlier item is %s",
	async (state) => {
		leave({ state });
		const { windows, inputs } = await show();
		expect(windows).toHaveLength(1);
		expect(inputs("finish_connect")).toEqual([]);
	},
);

test.each<Answer>([kept, "offline"])(
	"finishes an earlier pending approval before it opens the bank, whatever the answer is",
	async (answer) => {
		leave({ kind: "pending" });
		const finish = deferred<{ body: unknown }>();
		const { windows, inputs, calls } = await show({
			finish: [finish.promise.then(() => answer as { body: unknown })],
		});
		expect(inputs("finish_connect")).toMatchObject([{ kind: "pending" }]);
		expect(inputs("open_connect")).toEqual([]);
		await act(async () => finish.settle({ body: {} }));
		expect(windows).toHaveLength(1);
		expect(calls.some(({ action }) => action === "submit_item")).toBe(
			answer === kept,
		);
	},
);

test.each([succeeded("item-1"), { type: "closed" } as const])(
	"offers the accounts if the page is still there eight seconds after $type",
	async (event) => {
		vi.useFakeTimers();
		const { emit } = await show();
		const link = () =>
			screen.queryByRole("link", { name: "Voltar para as contas" });
		await emit(event);
		await act(() => vi.advanceTimersByTimeAsync(7999));
		expect(link()).not.toBeInTheDocument();
		await act(() => vi.advanceTimersByTimeAsync(1));
		expect(link()).toHaveAttribute("href", "/integration/accounts");
	},
);

test("offers the accounts if the page is still there after a refused token", async () => {
	vi.useFakeTimers();
	await show({ open: [{ status: 422, body: REFUSED }] });
	await act(() => vi.advanceTimersByTimeAsync(8000));
	expect(
		screen.getByRole("link", { name: "Voltar para as contas" }),
	).toHaveAttribute("href", "/integration/accounts");
});

test.each<[string, Given]>([
	["a wait", { open: [deferred<never>().promise] }],
	["an update", { open: [deferred<never>().promise], isUpdate: true }],
	["the dialog", {}],
	["a failure", { open: ["offline"] }],
])("the tab key skips the focusable title of %s", async (_what, given) => {
	// The title of a failure gets the focus by a timer.
	vi.useFakeTimers();
	const user = userEvent.setup({ delay: null });
	await show(given);
	const stops: (Element | null)[] = [];
	for (let times = 0; times < 4; times += 1) {
		await user.tab();
		stops.push(document.activeElement);
	}
	expect(stops).not.toContainEqual(expect.any(HTMLHeadingElement));
});

test("a success after the widget was closed is waited for, without the link to the accounts", async () => {
	vi.useFakeTimers();
	const { emit, host } = await show({ finish: [deferred<never>().promise] });
	await emit({ type: "closed" });
	await emit(succeeded("item-1"));
	await act(() => vi.advanceTimersByTimeAsync(8000));
	expect(host).toHaveTextContent("Confirmando");
	expect(screen.queryByRole("link")).not.toBeInTheDocument();
});

test("shows the toast inside the dialog while it is open, because the rest is inert", async () => {
	const token = deferred<{ body: unknown }>();
	const { emit } = await show({ open: [token.promise] });
	page.toast.show();
	expect(toasts()).toHaveLength(1);
	await act(async () => token.settle({ body: START }));
	const dialog = screen.getByRole("dialog");
	expect(within(dialog).getByRole("region")).toBeVisible();
	await emit(failed);
	expect(dialog).not.toBeInTheDocument();
	expect(toasts()).toHaveLength(1);
});
