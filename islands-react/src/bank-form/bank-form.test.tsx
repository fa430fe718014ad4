import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { BankFormContext, SaveBankForm } from "../generated/types";
import {
	ADMIN,
	bank,
	cpf,
	FORM,
	LIST,
	name,
	SAVED,
	serve,
	show,
	submit,
	values,
} from "../testing/bank-form";
import {
	type Answer,
	CONTEXT,
	deferred,
	heard,
	page,
	toasts,
	unmountIslands,
} from "../testing/page";

const FIRM = CONTEXT.customerName;
const OTHER = {
	...FORM,
	bank: "756",
	bankName: "Credi Sul",
	bankKey: "1ga092y",
	name: "Ana Antes",
	cpf: "111.444.777-35",
};
const WORDS = {
	bank: "Obrigatório selecionar o banco!",
	name: "Obrigatório preencher o nome completo do administrador da conta bancária!",
	cpf: "Obrigatório preencher o CPF do administrador da conta bancária!",
	wrongCpf: "CPF inválido!",
	badBank: "Este banco não pôde ser usado. Escolha outro na lista.",
	badName:
		"O nome tem um caractere que não pode ser usado. Apague tudo e digite de novo.",
	longName: "O nome está longo demais: use até 120 caracteres.",
};

async function fill() {
	await userEvent.type(bank(), "nubank{Enter}");
	await userEvent.type(name(), "Bia Lima");
	await userEvent.type(cpf(), "52998224725");
}

test("the title and the note, between the bank and the administrator, what comes next, and a way back", async () => {
	await show();
	const title = screen.getByRole("heading", { level: 1 });
	expect(title).toHaveTextContent(
		/^Insira os dados do administrador da conta bancária que deseja integrar\.$/,
	);
	expect(title).toHaveAccessibleDescription(/^Passos 2 e 3 de 5/);
	const note = screen.getByText(
		/^O administrador é quem pode compartilhar dados no Open Finance\./,
	);
	expect(note).toHaveTextContent("NÃO será concluída.");
	const next = screen.getByText(
		"Na próxima tela, toque outra vez no seu banco.",
	);
	const order = [bank(), note, name(), cpf(), next, submit()];
	for (const [at, follower] of order.slice(1).entries()) {
		expect(order[at]?.compareDocumentPosition(follower)).toBe(
			Node.DOCUMENT_POSITION_FOLLOWING,
		);
	}
	expect(bank()).toHaveAttribute("placeholder", "Selecione o banco");
	expect(screen.getByRole("link", { name: "Voltar" })).toHaveAttribute(
		"href",
		"/integration/accounts",
	);
});

test("a name of one word is doubted once it is left, until there is a second one, and can be sent", async () => {
	const DOUBT = "Escreva o nome completo, como no banco.";
	const { saved } = await show({ ...FORM, name: "" });
	await userEvent.type(name(), "Bia");
	expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
	await userEvent.tab();
	expect(await screen.findByText(DOUBT)).toBeVisible();
	expect(heard()).toEqual([DOUBT]);
	expect(name()).toHaveAccessibleDescription(DOUBT);
	expect(name()).toBeValid();
	await userEvent.click(submit());
	expect(saved()).toEqual([{ session: "s-1", ...FORM, name: "Bia" }]);
	await userEvent.type(name(), " L");
	expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
});

test.each<[string, string, Partial<BankFormContext>]>([
	["", "Padaria Pão & Cia <Ltda>", {}],
	["", "padaria  PAO CIA ltda", {}],
	["no ", "João Padeiro", {}],
	["no ", "Padaria Pão & Cia <Ltda>", { clientIsCompany: false }],
])(
	"there is %sdoubt whether a person is called %j (%o)",
	async (no, text, client) => {
		const DOUBT = "Escreva o nome da pessoa, não o da empresa.";
		await show({ ...client, name: text });
		expect(screen.queryAllByText(DOUBT)).toHaveLength(no === "" ? 1 : 0);
		await userEvent.clear(name());
		expect(screen.queryByText(DOUBT)).not.toBeInTheDocument();
	},
);

describe("errors", () => {
	test("of an empty form are under each field once it is sent, and come and go with every change", async () => {
		const { saved } = await show({ name: "  " });
		const form = submit().closest("form") as HTMLFormElement;
		expect(form).toHaveAttribute("novalidate");
		for (const field of [bank(), name(), cpf()]) expect(field).toBeRequired();
		expect(
			form.checkValidity(),
			"an untouched field is not called invalid",
		).toBe(true);
		await userEvent.click(submit());
		expect(bank()).toHaveAccessibleDescription(
			expect.stringContaining(WORDS.bank),
		);
		expect(name()).toHaveAccessibleDescription(WORDS.name);
		expect(cpf()).toHaveAccessibleDescription(WORDS.cpf);
		for (const field of [bank(), name(), cpf()])
			expect(field).toHaveAttribute("aria-invalid", "true");
		expect(bank()).toHaveFocus();
		expect(heard()).toEqual(["Há 3 campos a corrigir."]);
		expect(saved()).toEqual([]);
		await userEvent.type(cpf(), "5");
		expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf);
		expect(screen.queryByText(/a corrigir/)).not.toBeInTheDocument();
		await userEvent.type(cpf(), "2998224725");
		expect(cpf()).toBeValid();
		await userEvent.clear(cpf());
		expect(cpf()).toHaveAccessibleDescription(WORDS.cpf);
		await userEvent.type(name(), "B");
		expect(name()).toBeValid();
		await userEvent.type(bank(), "brasil{Enter}");
		expect(bank()).toBeValid();
	});

	test("are there when the field gets the focus, and then how many", async () => {
		await show();
		const seen: unknown[] = [];
		bank().addEventListener("focus", () =>
			seen.push(document.querySelector(".field__error")?.textContent, heard()),
		);
		await userEvent.click(submit());
		expect(seen).toEqual([WORDS.bank, []]);
		expect(heard()).toEqual(["Há 3 campos a corrigir."]);
	});

	test("are announced when an edited field is left with one, and not again without an edit", async () => {
		await show();
		await userEvent.type(cpf(), "123");
		await userEvent.tab();
		await vi.waitFor(() => expect(heard()).toEqual([WORDS.wrongCpf]));
		await userEvent.type(cpf(), "4");
		expect(cpf()).toBeInvalid();
		expect(heard()).toEqual([]);
		await userEvent.tab();
		await vi.waitFor(() => expect(heard()).toEqual([WORDS.wrongCpf]));
		await userEvent.click(submit());
		expect(heard()).toEqual(["Há 3 campos a corrigir."]);
		await userEvent.click(name());
		await userEvent.tab();
		await act(async () => {});
		expect(heard()).toEqual(["Há 3 campos a corrigir."]);
		await userEvent.clear(cpf());
		await userEvent.type(cpf(), "52998224725");
		await userEvent.tab();
		await act(async () => {});
		expect(heard()).toEqual([]);
	});

	test("show when a field is left, but do not move away what is pressed then", async () => {
		await show();
		const user = userEvent.setup();
		await user.type(cpf(), "123");
		expect(cpf()).toBeValid();
		await user.pointer({
			keys: "[MouseLeft>]",
			target: submit().parentElement as Element,
		});
		expect(cpf()).not.toHaveFocus();
		expect(cpf()).toBeValid();
		await user.pointer({ keys: "[/MouseLeft]" });
		await vi.waitFor(() =>
			expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf),
		);
	});

	test("are held back by a press of the first button only, and presses leave no listeners behind", async () => {
		await show();
		const user = userEvent.setup();
		const listens = vi.spyOn(window, "addEventListener");
		for (let presses = 0; presses < 3; presses += 1)
			await user.click(submit().parentElement as Element);
		expect(listens).not.toHaveBeenCalled();
		await user.type(cpf(), "123");
		await user.pointer({
			keys: "[MouseRight>]",
			target: submit().parentElement as Element,
		});
		await vi.waitFor(() =>
			expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf),
		);
	});

	test.each([
		["too long", "a".repeat(121), WORDS.longName],
		["with a control character", "Bia\u0007Lima", WORDS.badName],
		["of spaces alone", "   ", WORDS.name],
	])(
		"of a name %s have words of their own; the field takes no more than fits",
		async (_what, text, words) => {
			const { saved } = await show({ ...FORM, name: text });
			expect(name()).toHaveAttribute("maxlength", "120");
			await userEvent.click(submit());
			expect(name()).toHaveAccessibleDescription(words);
			expect(saved()).toEqual([]);
		},
	);

	test("those of the server show under their fields until these are changed; nothing typed is lost", async () => {
		const fields = [
			{ field: "bank", code: "invalid" },
			{ field: "name", code: "too_long" },
			{ field: "cpf", code: "invalid" },
		];
		const { replace } = await show(FORM, {
			save: [{ status: 422, body: { kind: "invalid", fields } }],
		});
		await userEvent.click(submit());
		expect(bank()).toHaveAccessibleDescription(
			expect.stringContaining(WORDS.badBank),
		);
		expect(bank()).toHaveFocus();
		expect(name()).toHaveAccessibleDescription(WORDS.longName);
		expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf);
		expect(screen.getByText("Há 3 campos a corrigir.")).toBeInTheDocument();
		expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
		expect(submit()).not.toHaveAttribute("aria-busy");
		expect(replace).not.toHaveBeenCalled();
		await userEvent.clear(cpf());
		await userEvent.type(cpf(), "11144477735");
		expect(cpf()).toBeValid();
	});
});

test("the CPF is masked while typing, and the caret keeps its digit and steps over dots, which cannot be deleted", async () => {
	await show();
	expect(cpf()).toHaveAttribute("inputmode", "numeric");
	await userEvent.type(cpf(), "529982");
	await userEvent.type(cpf(), "7", {
		initialSelectionStart: 1,
		initialSelectionEnd: 1,
	});
	expect([cpf().value, cpf().selectionStart]).toEqual(["572.998.2", 2]);
	for (const [key, from, value, caret] of [
		["{Backspace}", 4, "572.998.2", 3],
		["{Delete}", 3, "572.998.2", 4],
		["{Delete}", 4, "572.982", 3],
		["{Backspace}", 3, "579.82", 2],
	] as const) {
		cpf().setSelectionRange(from, from);
		await userEvent.keyboard(key);
		expect([cpf().value, cpf().selectionStart]).toEqual([value, caret]);
	}
});

describe("what the session knows", () => {
	test("fills the form in, to be changed; of two banks of one code it has the one that was chosen", async () => {
		const { saved } = await show(OTHER);
		expect(values()).toEqual(["Credi Sul", OTHER.name, OTHER.cpf]);
		for (const field of [name(), cpf()])
			expect(field).not.toHaveAttribute("readonly");
		await userEvent.click(submit());
		expect(saved()).toEqual([{ session: "s-1", ...OTHER }]);
	});

	test("has the bank that was chosen of two whose long names begin alike", async () => {
		const long = "Cooperativa de Crédito de Livre Admissão de ";
		const banks = ["Água Mansa", "Boa Vista"].map((place) => ({
			code: "756",
			name: long + place,
		}));
		const list: Answer[] = [{ body: { banks } }];
		const { saved } = await show(ADMIN, { list });
		await userEvent.type(bank(), "boa vista{Enter}");
		await userEvent.click(submit());
		const sent = saved()[0] as SaveBankForm;
		await unmountIslands();
		document.body.innerHTML = "";
		// The session has cut the name.
		await show(
			{
				...ADMIN,
				bank: sent.bank,
				bankName: sent.bankName.slice(0, 40),
				bankKey: sent.bankKey,
			},
			{ list },
		);
		expect(bank()).toHaveValue(`${long}Boa Vista`);
	});

	test("fixes name and CPF where the client is the administrator, and sends them", async () => {
		const { saved } = await show({
			...FORM,
			name: "Padaria",
			fixed: ["name", "cpf"],
		});
		for (const field of [name(), cpf()])
			expect(field).toHaveAttribute("readonly");
		expect(name()).toHaveAccessibleDescription(
			`Dados informados por ${FIRM}. Se estiverem errados, avise o escritório.`,
		);
		await userEvent.type(name(), "x");
		await userEvent.click(submit());
		expect(saved()).toEqual([{ session: "s-1", ...FORM, name: "Padaria" }]);
	});
});

describe("sending", () => {
	test("is busy, refuses a second click, stays busy while the page is left, and not if it stays", async () => {
		const answer = deferred<{ body: unknown }>();
		const { saved, replace } = await show({}, { save: [answer.promise] });
		await fill();
		await userEvent.dblClick(submit());
		expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
		expect(submit()).toHaveAttribute("aria-busy", "true");
		await act(async () =>
			answer.settle({ body: { to: "/integration/widget" } }),
		);
		expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/widget");
		expect(submit()).toHaveAttribute("aria-busy", "true");
		act(() => void window.dispatchEvent(new Event("vincula-resumed")));
		expect(submit()).not.toHaveAttribute("aria-busy");
	});

	test("without a reply toasts, stays and keeps what was typed", async () => {
		const { replace } = await show(FORM, { save: ["offline", SAVED] });
		await userEvent.click(submit());
		expect(toasts()).toEqual(["Houve falha na requisição."]);
		expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
		await userEvent.click(submit());
		expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/widget");
	});
});

test("a field that is edited after the page failed to leave is sent with the next press", async () => {
	const { saved } = await show(FORM);
	vi.mocked(page.replace).mockRestore();
	vi.useFakeTimers();
	const press = () => act(async () => void fireEvent.click(submit()));
	await press();
	act(() => vi.advanceTimersByTime(8000));
	expect(toasts()).toEqual(["Pronto. Continuar"]);
	fireEvent.change(cpf(), { target: { value: "111.444.777-35" } });
	expect(toasts()).toEqual([]);
	await press();
	expect(saved()).toMatchObject([{ cpf: FORM.cpf }, { cpf: "111.444.777-35" }]);
});

describe("the list of banks", () => {
	const WAIT = "Aguarde a lista de bancos.";

	test("that is on its way is said to be, and to be slow, until it is there", async () => {
		vi.useFakeTimers();
		const list = deferred<{ body: unknown }>();
		const { loaded } = await show({}, { list: [list.promise] });
		expect(bank()).toHaveAccessibleDescription("Carregando a lista de bancos…");
		expect(bank()).toHaveAttribute("placeholder", "Selecione o banco");
		expect(bank()).toHaveAttribute("aria-busy", "true");
		expect(bank()).not.toHaveAttribute("readonly");
		act(() => vi.advanceTimersByTime(7900));
		expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
		act(() => vi.advanceTimersByTime(200));
		expect(heard()).toEqual(["Está demorando mais que o normal…"]);
		await act(async () =>
			list.settle({ body: { banks: [{ code: "1", name: "Other" }] } }),
		);
		expect(screen.queryByText(/Está demorando/)).not.toBeInTheDocument();
		expect(bank()).not.toHaveAttribute("aria-busy");
		expect(bank()).toHaveAccessibleDescription("Ex.: Itaú, Nubank");
		expect(loaded()).toBe(1);
	});

	test("that is not there yet is to be waited for, and a saved bank that it lacks to be chosen anew", async () => {
		const list = deferred<{ body: unknown }>();
		const { saved } = await show(
			{ ...FORM, name: "", cpf: "" },
			{ list: [list.promise] },
		);
		await userEvent.click(submit());
		expect(bank()).toHaveFocus();
		expect(bank()).toHaveAccessibleDescription(expect.stringContaining(WAIT));
		expect(screen.getByText("Há 2 campos a corrigir.")).toBeInTheDocument();
		await act(async () =>
			list.settle({ body: { banks: [{ code: "1", name: "Other" }] } }),
		);
		await userEvent.click(name());
		expect(values()).toEqual(["", "", ""]);
		expect(bank()).toBeValid();
		await userEvent.click(submit());
		expect(bank()).toHaveAccessibleDescription(
			expect.stringContaining(WORDS.bank),
		);
		expect(saved()).toEqual([]);
	});

	test.each<[string, Answer, string]>([
		["did not come", "offline", "Não foi possível carregar a lista de bancos."],
		[
			"is empty",
			{ body: { banks: [] } },
			`A lista de bancos veio vazia. Tente de novo ou fale com ${FIRM}.`,
		],
	])(
		"that %s can be asked for again, and what was typed stays",
		async (_how, answer, why) => {
			await show({}, { list: [answer, LIST] });
			expect(bank()).toHaveAttribute("placeholder", "Lista indisponível");
			expect(bank()).not.toHaveAttribute("aria-busy");
			expect(bank()).toHaveAccessibleDescription(why);
			expect(heard()).toEqual([why]);
			await userEvent.type(name(), "Bia");
			await userEvent.click(submit());
			expect(bank()).toBeInvalid();
			expect(bank()).toHaveAccessibleDescription(expect.stringContaining(why));
			await userEvent.click(
				screen.getByRole("button", { name: "Tentar de novo" }),
			);
			expect(bank()).toBeValid();
			await userEvent.click(bank());
			expect(screen.getAllByRole("option")).toHaveLength(4);
			expect(name()).toHaveValue("Bia");
		},
	);

	test("that is refused leads away, and says nothing on the way", async () => {
		const list: Answer[] = [
			{ status: 502, body: { kind: "navigate", to: "/error/token-expired" } },
		];
		const { replace } = await show({}, { list });
		expect(replace).toHaveBeenCalledExactlyOnceWith("/error/token-expired");
		expect(heard()).toEqual([]);
		expect(
			screen.queryByRole("button", { name: "Tentar de novo" }),
		).not.toBeInTheDocument();
	});
});

test.each<[string, Partial<BankFormContext>, string, boolean, string[]]>([
	[
		"keeps bank and name before those of the session",
		OTHER,
		"s-1",
		false,
		["Nubank", "Bia Lima", OTHER.cpf],
	],
	["keeps them for their session alone", {}, "s-2", false, ["", "", ""]],
	[
		"leaves a read-only name",
		{ name: "Da Firma", fixed: ["name"] },
		"s-1",
		false,
		["Nubank", "Da Firma", ""],
	],
	["keeps nothing that was sent", {}, "s-1", true, ["", "", ""]],
])(
	"a reload %s, and the CPF nowhere",
	async (_what, saved, session, isSent, kept) => {
		await show();
		await fill();
		expect(JSON.stringify({ ...sessionStorage })).not.toMatch(/529|982|247/);
		if (isSent) await userEvent.click(submit());
		await unmountIslands();
		document.body.innerHTML = "";
		await show(saved, { session });
		expect(values()).toEqual(kept);
	},
);

describe("the prerendered form", () => {
	test.each<[BankFormContext["fixed"], boolean]>([
		[[], true],
		[["name"], true],
		[["cpf"], false],
		[["name", "cpf"], false],
	])(
		"with %j fixed, the bank asked again %j: hydrates without an error, filled in",
		async (fixed, bankIsAskedAgain) => {
			const saved = {
				name: "Bia & Cia",
				cpf: FORM.cpf,
				fixed,
				bankIsAskedAgain,
			};
			const { host } = await show(saved, { list: [new Promise(() => {})] });
			expect(host.innerHTML).not.toMatch(/\{\{|UNKNOWN|style=/);
			expect(values()).toEqual(["", "Bia & Cia", FORM.cpf]);
			const again = screen.queryAllByText(
				"Na próxima tela, toque outra vez no seu banco.",
			);
			expect(again).toHaveLength(bankIsAskedAgain ? 1 : 0);
		},
	);

	test("cannot be sent before: the CPF would go into the address", () => {
		const host = serve({});
		expect(
			host.querySelectorAll("[type=submit], button:not([type])"),
		).toHaveLength(0);
	});
});
