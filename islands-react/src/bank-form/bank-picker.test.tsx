import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import {
	ADMIN,
	BANKS,
	bank,
	FORM,
	LIST,
	name,
	show,
	submit,
} from "../testing/bank-form";
import { type Answer, deferred, heard } from "../testing/page";

const options = () =>
	screen.queryAllByRole("option").map((option) => option.textContent);
/** The bank's name in a row, which is its first text. */
const labelOf = (row: HTMLElement) =>
	within(row).getAllByText(/./)[0]?.textContent;
const labels = (list: HTMLElement) =>
	within(list).getAllByRole("option").map(labelOf);
/** The name of the highlighted bank, or null. */
function active() {
	const id = bank().getAttribute("aria-activedescendant");
	const row = id === null ? null : document.getElementById(id);
	return row && labelOf(row);
}

test("works by keyboard: opens, wraps around and chooses; Enter submits only after a choice", async () => {
	const { saved } = await show(ADMIN);
	act(() => bank().focus());
	expect(bank()).toHaveAttribute("aria-expanded", "false");
	await userEvent.keyboard("{ArrowDown}");
	expect(bank()).toHaveAttribute("aria-expanded", "true");
	const list = screen.getByRole("listbox", { name: "Bancos" });
	expect(bank()).toHaveAttribute("aria-controls", list.id);
	expect(active()).toBe("Banco do Brasil");
	await userEvent.keyboard("{ArrowUp}");
	expect(active()).toBe("Credi Sul");
	await userEvent.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}{ArrowUp}");
	expect(active()).toBe("Nubank");
	await userEvent.keyboard("{Enter}");
	expect(bank()).toHaveValue("Nubank");
	expect(bank()).toHaveAttribute("aria-expanded", "false");
	expect(saved()).toEqual([]);
	await userEvent.keyboard("{Enter}");
	expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
});

test("a bank stays chosen if its name is typed again", async () => {
	const { saved } = await show(ADMIN);
	await userEvent.type(bank(), "nubank{Enter}");
	await userEvent.type(bank(), "x{Backspace}");
	expect(active()).toBeNull();
	await userEvent.tab();
	expect(bank()).toHaveValue("Nubank");
	await userEvent.click(submit());
	expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
});

test("a press beside the list chooses no highlighted bank", async () => {
	await show();
	await userEvent.click(bank());
	await userEvent.keyboard("{ArrowDown}");
	expect(active()).toBe("Banco do Brasil");
	await userEvent.click(document.body);
	expect(bank()).toHaveValue("");
});

test("scrolls to each row that the arrow keys highlight, also to the first one", async () => {
	const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
	await show();
	act(() => bank().focus());
	const reached = () => labelOf(scroll.mock.contexts.at(-1) as HTMLElement);
	await userEvent.keyboard("{ArrowUp}");
	expect(reached()).toBe("Credi Sul");
	await userEvent.keyboard("{ArrowDown}");
	expect(reached()).toBe("Banco do Brasil");
	expect(scroll).toHaveBeenLastCalledWith({ block: "nearest" });
});

test("a changed text shows its best match, even if the list was scrolled", async () => {
	await show();
	await userEvent.type(bank(), "c");
	const list = screen.getByRole("listbox");
	list.scrollTop = 80;
	await userEvent.keyboard("r");
	expect(screen.getByRole("listbox")).toBe(list);
	expect(list.scrollTop).toBe(0);
});

test.each([
	["on a phone", "to the top", "start"],
	["on a wider screen", "no further than needed", "nearest"],
])("%s opening the list scrolls the field %s", async (_on, _to, block) => {
	const scroll = vi.spyOn(Element.prototype, "scrollIntoView");
	const { style } = document.documentElement;
	style.setProperty("--combobox-scroll", block);
	onTestFinished(() => void style.removeProperty("--combobox-scroll"));
	await show();
	expect(scroll, "not before it is opened").not.toHaveBeenCalled();
	await userEvent.click(bank());
	expect(scroll).toHaveBeenCalledExactlyOnceWith({ block });
	const [field] = scroll.mock.contexts as HTMLElement[];
	expect(field).toContainElement(bank().labels?.[0] as HTMLElement);
});

test("groups the most used banks and the others under headings, except in search results", async () => {
	await show();
	act(() => bank().focus());
	await userEvent.keyboard("{ArrowUp}");
	const groups = within(screen.getByRole("listbox")).getAllByRole("group");
	expect(groups.map(labels)).toEqual([
		["Banco do Brasil", "Nubank"],
		["Credi Norte", "Credi Sul"],
	]);
	expect(groups[0]).toHaveAccessibleName("Mais usados");
	expect(groups[1]).toHaveAccessibleName("Outros bancos");
	expect(active()).toBe("Credi Sul");
	await userEvent.keyboard("{ArrowUp}{ArrowUp}");
	expect(active()).toBe("Nubank");
	await userEvent.keyboard("credi");
	expect(options()).toHaveLength(2);
	expect(
		within(screen.getByRole("listbox")).queryByRole("group"),
	).not.toBeInTheDocument();
});

test("a list without any of the most used banks has no headings", async () => {
	await show({}, { list: [{ body: { banks: BANKS.slice(2) } }] });
	await userEvent.click(bank());
	expect(options()).toHaveLength(2);
	expect(
		within(screen.getByRole("listbox")).queryByRole("group"),
	).not.toBeInTheDocument();
});

test.each([
	["{ArrowDown}", "756", "Credi Norte"],
	["{ArrowUp}", "756", "Credi Norte"],
	["{ArrowUp}", "001", "Banco do Brasil"],
])(
	"%s opens the list at the chosen bank, of code %s: %s",
	async (key, code, bankName) => {
		await show({ bank: code, bankName });
		act(() => bank().focus());
		await userEvent.keyboard(key);
		expect(active()).toBe(bankName);
		expect(screen.getAllByRole("option", { selected: true })).toHaveLength(1);
	},
);

describe("pressed before the list has loaded", () => {
	const showLoading = async () => {
		const list = deferred<{ body: unknown }>();
		await show(FORM, { list: [list.promise] });
		return () => act(async () => list.settle({ body: { banks: BANKS } }));
	};

	test("opens once the list has loaded, which is not announced", async () => {
		const settle = await showLoading();
		await userEvent.click(bank());
		expect(bank()).toHaveAttribute("aria-expanded", "false");
		await settle();
		expect(bank()).toHaveAttribute("aria-expanded", "true");
		expect(options()).toHaveLength(4);
		expect(bank()).toHaveValue("Nubank");
		expect(heard()).toEqual([]);
	});

	test("stays closed if the field has lost the focus meanwhile", async () => {
		const settle = await showLoading();
		await userEvent.click(bank());
		await userEvent.tab();
		await settle();
		expect(options()).toEqual([]);
		await userEvent.click(bank());
		expect(options()).toHaveLength(4);
	});

	test("searches for the typed text once loaded", async () => {
		const settle = await showLoading();
		await userEvent.type(bank(), "credi");
		expect(options()).toEqual([]);
		await settle();
		expect(labels(screen.getByRole("listbox"))).toEqual([
			"Credi Norte",
			"Credi Sul",
		]);
		expect(active()).toBeNull();
		expect(bank()).toHaveValue("credi");
		await userEvent.tab();
		expect(bank(), "nobody has chosen one").toHaveValue("credi");
	});

	test.each([
		["brasil", "Banco do Brasil"],
		["credi", "credi"],
		["x{Backspace}", "Nubank"],
	])("left with the text %j has the value %j", async (keys, value) => {
		const settle = await showLoading();
		await userEvent.type(bank(), keys);
		await userEvent.tab();
		await settle();
		expect(bank()).toHaveValue(value);
		expect(options()).toEqual([]);
	});

	test("shows the matches also after a phone's keyboard was dismissed meanwhile", async () => {
		const settle = await showLoading();
		await userEvent.type(bank(), "credi");
		act(() => bank().blur());
		await settle();
		expect(bank()).toHaveValue("credi");
		expect(options()).toHaveLength(2);
	});

	test("announces the number of banks if the field only has the focus", async () => {
		const settle = await showLoading();
		await userEvent.tab();
		await userEvent.tab();
		expect(bank()).toHaveFocus();
		await settle();
		expect(heard()).toEqual(["4 bancos na lista"]);
		expect(options()).toEqual([]);
	});
});

describe("the retry button", () => {
	const retry = () => screen.getByRole("button", { name: "Tentar de novo" });

	test("keeps the focus, also after another failure, until the list has loaded and the field takes it", async () => {
		const [second, third] = [
			deferred<{ status: number; body: unknown }>(),
			deferred<{ body: unknown }>(),
		];
		const list: Answer[] = ["offline", second.promise, third.promise];
		const { lists } = await show(ADMIN, { list });
		await userEvent.click(retry());
		expect(retry()).toHaveFocus();
		expect(retry()).toHaveAttribute("aria-busy", "true");
		expect(heard()).toEqual([]);
		await userEvent.click(retry());
		expect(lists()).toHaveLength(2);
		await act(async () => second.settle({ status: 500, body: "no_reply" }));
		expect(retry()).toHaveFocus();
		expect(retry()).not.toHaveAttribute("aria-busy");
		expect(heard()).toEqual(["Não foi possível carregar a lista de bancos."]);
		await userEvent.keyboard("{Enter}");
		await act(async () => third.settle({ body: { banks: BANKS } }));
		expect(bank()).toHaveFocus();
		expect(heard()).toEqual(["4 bancos na lista"]);
		expect(options()).toEqual([]);
	});

	test("keeps the typed text, which the open list is searched for", async () => {
		const first = deferred<{ status: number; body: unknown }>();
		await show(ADMIN, { list: [first.promise, LIST] });
		await userEvent.type(bank(), "credi");
		await act(async () => first.settle({ status: 500, body: "no_reply" }));
		expect(bank()).toHaveValue("credi");
		expect(bank()).toHaveAttribute("readonly");
		await userEvent.tab();
		await userEvent.keyboard("{Enter}");
		await vi.waitFor(() => expect(bank()).toHaveFocus());
		expect(bank()).toHaveValue("credi");
		await userEvent.keyboard("{ArrowDown}");
		expect(options()).toHaveLength(2);
	});

	test("leaves the focus alone if it has moved on", async () => {
		const second = deferred<{ body: unknown }>();
		await show(ADMIN, { list: ["offline", second.promise] });
		await userEvent.click(retry());
		await userEvent.tab();
		const focused = document.activeElement;
		await act(async () => second.settle({ body: { banks: BANKS } }));
		expect(focused).toHaveFocus();
		expect(focused).not.toBe(document.body);
	});
});

test("a row has brand, registered name and code, and a click on any part chooses it", async () => {
	await show({}, { list: [{ body: { banks: BANKS.slice(0, 2) } }] });
	await userEvent.click(bank());
	expect(
		within(screen.getByRole("listbox")).queryByRole("group"),
		"only most used banks",
	).not.toBeInTheDocument();
	expect(
		screen.getByRole("option", { name: "Banco do Brasil código 001" }),
	).toBeInTheDocument();
	expect(
		screen.getByRole("option", { name: "Nubank Nu Pagamentos código 260" }),
	).toHaveTextContent(/NubankNu Pagamentoscódigo260$/);
	expect(screen.queryByText(/^Não achamos/)).not.toBeInTheDocument();
	await userEvent.click(screen.getByText("260"));
	expect(bank()).toHaveValue("Nubank");
	expect(bank()).toHaveFocus();
});

test("typing filters and highlights the bank that the text identifies; the count is announced after a pause", async () => {
	await show();
	vi.useFakeTimers();
	const user = userEvent.setup({ delay: null });
	const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
	await user.click(bank());
	await wait(100);
	for (const text of ["c", "r", "edi"]) {
		await user.keyboard(text);
		await wait(400);
		expect(heard()).toEqual([]);
	}
	await wait(100);
	expect(heard()).toEqual(["2 bancos encontrados"]);
	await user.clear(bank());
	await user.keyboard("nub");
	await wait(500);
	expect(heard()).toEqual(["1 banco encontrado"]);
	expect(options()).toHaveLength(1);
	expect(active()).toBe("Nubank");
	await user.keyboard("{Enter}");
	expect(bank()).toHaveValue("Nubank");
	expect(heard()).toEqual(["Banco escolhido: Nubank"]);
});

test("without a match the list says so, and shows all banks; Enter neither chooses nor submits", async () => {
	const NONE =
		"Não achamos esse banco. Tente um nome mais curto ou procure na lista.";
	const { saved } = await show(FORM);
	await userEvent.click(bank());
	await userEvent.keyboard("zzz{Enter}");
	expect(bank()).toHaveValue("zzz");
	expect(active()).toBeNull();
	expect(screen.getByText(NONE), "above the rows").toBeInTheDocument();
	await vi.waitFor(() => expect(heard()).toEqual([NONE]));
	expect(options()).toHaveLength(4);
	expect(saved()).toEqual([]);
	await userEvent.keyboard("{ArrowDown}{Enter}");
	expect(bank()).toHaveValue("Banco do Brasil");
});

test("once the text is removed, no bank is highlighted and Enter chooses none", async () => {
	await show(FORM);
	await userEvent.click(bank());
	await userEvent.clear(bank());
	expect(options()).toHaveLength(4);
	expect(active()).toBeNull();
	await userEvent.keyboard("{Enter}");
	expect(bank()).toHaveValue("");
});

test("Escape closes the list; a text that identifies no bank chooses none", async () => {
	const { saved } = await show(FORM);
	await userEvent.click(bank());
	expect(active()).toBe("Nubank");
	await userEvent.keyboard("xyz{Escape}");
	expect(bank()).toHaveValue("xyz");
	expect(options()).toEqual([]);
	await userEvent.click(submit());
	expect(saved()).toEqual([]);
	expect(bank()).toBeInvalid();
});

test.each<[string, object, string, string, string?]>([
	["chooses a bank that the text identifies", {}, "nubanck", "Nubank", "260"],
	["replaces the chosen bank by it", FORM, "brasil", "Banco do Brasil", "001"],
	[
		"chooses the row highlighted by the arrow keys",
		FORM,
		"credi{ArrowDown}{ArrowDown}",
		"Credi Sul",
		"756",
	],
	[
		"chooses the first row if the arrow keys have highlighted it",
		FORM,
		"credi{ArrowDown}",
		"Credi Norte",
		"756",
	],
	[
		"chooses the row at which an arrow key has opened the list",
		{},
		"{Escape}{ArrowDown}",
		"Banco do Brasil",
		"001",
	],
	[
		"keeps a text that matches several banks, without a choice",
		FORM,
		"credi",
		"credi",
	],
	["keeps a text without a match, without a choice", FORM, "zzz", "zzz"],
	["removes the choice if the text is empty", FORM, "x{Backspace}", ""],
])("on blur the field %s", async (_what, initial, keys, value, code) => {
	const { saved } = await show({ ...ADMIN, ...initial });
	await userEvent.click(bank());
	await userEvent.keyboard(keys);
	await userEvent.tab();
	expect(bank()).toHaveValue(value);
	expect(options()).toEqual([]);
	expect(bank()).toBeValid();
	expect(heard()).toEqual(
		code === undefined ? [] : [`Banco escolhido: ${value}`],
	);
	await userEvent.click(submit());
	expect(saved()).toMatchObject(
		code === undefined ? [] : [{ bank: code, bankName: value }],
	);
	if (code === undefined)
		expect(bank()).toHaveAccessibleDescription(
			"Obrigatório selecionar o banco!",
		);
});

test.each([
	["nubanck", "Nubank", "Nu Pagamentos"],
	["credi", "credi", "Digite o nome ou o número do banco."],
])(
	"a screen reader that moves the focus leaves the field with the text %j as %j",
	async (text, value, hint) => {
		await show(ADMIN);
		await userEvent.type(bank(), text);
		act(() => name().focus());
		expect(name()).toHaveFocus();
		expect(bank()).toHaveValue(value);
		expect(options()).toEqual([]);
		expect(bank()).toHaveAccessibleDescription(hint);
	},
);

test.each(["c", "credi", "zzz"])(
	"Enter on %j, which does not identify a bank, neither chooses nor submits",
	async (text) => {
		const { saved } = await show(FORM);
		await userEvent.click(bank());
		await userEvent.keyboard(`${text}{Enter}`);
		expect(bank()).toHaveValue(text);
		expect(bank()).toHaveAttribute("aria-expanded", "true");
		expect(saved()).toEqual([]);
	},
);

test.each([
	["Enter", () => userEvent.keyboard("{Enter}")],
	["a press", () => userEvent.click(screen.getByText("Nubank"))],
])(
	"announces a bank chosen by %s until the list opens again",
	async (_how, choose) => {
		await show(ADMIN);
		await userEvent.type(bank(), "nubank");
		await choose();
		expect(heard()).toEqual(["Banco escolhido: Nubank"]);
		await userEvent.click(bank());
		await userEvent.keyboard("{Escape}");
		expect(heard()).toEqual([]);
	},
);

test("reopened at once, it does not announce the number of an earlier text", async () => {
	await show();
	vi.useFakeTimers();
	const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
	const user = userEvent.setup({ delay: null });
	await user.type(bank(), "credi");
	await wait(500);
	expect(heard()).toEqual(["2 bancos encontrados"]);
	await user.keyboard("{Escape}");
	await wait(100);
	await user.click(bank());
	expect(heard()).toEqual([]);
});

test("nothing happens when the window loses the focus and gets it again", async () => {
	await show(ADMIN);
	await userEvent.type(bank(), "nubanck");
	// The input stays the document's active element.
	fireEvent.blur(bank());
	fireEvent.focus(bank());
	expect(options()).toHaveLength(1);
	await userEvent.keyboard("x");
	expect(bank()).toHaveValue("nubanckx");
});

test.each([
	["a touch", () => fireEvent.touchEnd(document.body)],
	["a click", () => userEvent.click(document.body)],
])(
	"the list stays when a phone's keyboard is dismissed, until %s outside",
	async (_how, press) => {
		await show(ADMIN);
		await userEvent.type(bank(), "credi");
		act(() => bank().blur());
		expect(options()).toHaveLength(2);
		await press();
		expect(options()).toEqual([]);
		expect(bank()).toHaveValue("credi");
	},
);

test("a press on a heading of the list keeps the focus in the field", async () => {
	await show();
	await userEvent.click(bank());
	await userEvent.click(screen.getByText("Mais usados"));
	expect(bank()).toHaveFocus();
	expect(options()).toHaveLength(4);
});

test("the pointer highlights no row", async () => {
	await show();
	await userEvent.type(bank(), "credi");
	await userEvent.hover(screen.getByRole("option", { name: /Credi Sul/ }));
	expect(active()).toBeNull();
	await userEvent.tab();
	expect(bank()).toHaveValue("credi");
});
