import { act, fireEvent, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { BankFormContext, SaveBankFormInput } from "../generated/types";
import {
	ADMIN,
	BANKS,
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
	deferred,
	heard,
	REQUEST_FAILED,
	toasts,
	unmountIslands,
} from "../testing/page";
import { keepDraft } from "./draft";

const OTHER = {
	...FORM,
	bank: "756",
	bankName: "Credi Sul",
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

test("has title, the note, the way out after the CPF, next step and link back", async () => {
	await show();
	const title = screen.getByRole("heading", { level: 1 });
	expect(title).toHaveTextContent(
		/^Insira os dados do administrador da conta bancária que deseja integrar\.$/,
	);
	expect(title).toHaveAccessibleDescription(
		"Passos 2 e 3 de 5: Banco e administrador",
	);
	const note = screen.getByText(/^O administrador é quem pode/);
	expect(note.parentElement).toHaveTextContent(
		/Com nome ou CPF errado, a integração NÃO será concluída\.$/,
	);
	const notYou = screen.getByText("O administrador é outra pessoa?");
	const next = screen.getByText(
		"A seguir abre a janela da Pluggy, a empresa que faz a conexão com o banco. A senha é digitada só nela ou no banco.",
	);
	const again = screen.getByText(
		"Na próxima tela, toque outra vez no seu banco.",
	);
	const order = [
		title,
		note,
		bank(),
		name(),
		cpf(),
		notYou,
		next,
		submit(),
		again,
	];
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

describe("errors", () => {
	test("appear under each field when an empty form is submitted, and follow every change", async () => {
		const { saved } = await show({ name: "  " });
		const form = submit().form as HTMLFormElement;
		expect(form).toHaveAttribute("novalidate");
		for (const field of [bank(), name(), cpf()]) expect(field).toBeRequired();
		expect(form.checkValidity(), "an untouched field is not invalid").toBe(
			true,
		);
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
		await userEvent.type(bank(), "brasil");
		expect(bank()).toBeValid();
		await userEvent.keyboard("zz");
		expect(bank()).toBeInvalid();
	});

	test("are rendered before the first invalid field gets the focus, and then counted", async () => {
		await show();
		const seen: unknown[] = [];
		bank().addEventListener("focus", () =>
			seen.push(screen.queryByText(WORDS.bank)?.textContent, heard()),
		);
		await userEvent.click(submit());
		expect(seen).toEqual([WORDS.bank, []]);
		expect(heard()).toEqual(["Há 3 campos a corrigir."]);
	});

	test("do not appear when the focus leaves a field, but on the press of the button", async () => {
		await show();
		await userEvent.type(bank(), "credi");
		await userEvent.type(name(), " ");
		await userEvent.type(cpf(), "123");
		await userEvent.tab();
		await act(async () => {});
		for (const field of [bank(), name(), cpf()]) expect(field).toBeValid();
		expect(heard()).toEqual([]);
		await userEvent.click(submit());
		expect(bank()).toHaveAccessibleDescription(WORDS.bank);
		expect(name()).toHaveAccessibleDescription(WORDS.name);
		expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf);
	});

	test("do not appear if a press on the button leaves the name of one bank", async () => {
		const { saved } = await show({ ...ADMIN });
		await userEvent.type(bank(), "nubank");
		await userEvent.click(submit());
		expect(saved()).toMatchObject([{ bank: "260", bankName: "Nubank" }]);
	});

	test.each([
		["that is too long", "a".repeat(121), WORDS.longName],
		["with a control character", "Bia\u0007Lima", WORDS.badName],
		["of spaces only", "   ", WORDS.name],
	])(
		"of a name %s have their own message; the field limits its length",
		async (_what, text, words) => {
			const { saved } = await show({ ...FORM, name: text });
			expect(name()).toHaveAttribute("maxlength", "120");
			await userEvent.click(submit());
			expect(name()).toHaveAccessibleDescription(words);
			expect(saved()).toEqual([]);
		},
	);

	test("of the server show under their fields until these change or are sent again; entered values stay", async () => {
		const fields = [
			{ field: "bank", code: "invalid" },
			{ field: "name", code: "too_long" },
			{ field: "cpf", code: "invalid" },
		];
		const { replace, saved } = await show(FORM, {
			save: [{ status: 422, body: { invalid: { fields } } }, SAVED],
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
		await userEvent.click(submit());
		expect(saved()).toMatchObject([FORM, { cpf: "111.444.777-35" }]);
		for (const field of [bank(), name()]) expect(field).toBeValid();
	});
});

test("the first field with an error gets the focus, whether the form or the server finds it", async () => {
	await show(
		{ ...FORM, name: "" },
		{
			save: [
				{
					status: 422,
					body: {
						invalid: { fields: [{ field: "cpf", code: "invalid" }] },
					},
				},
			],
		},
	);
	await userEvent.click(submit());
	expect(name()).toHaveFocus();
	expect(heard()).toEqual(["Há 1 campo a corrigir."]);
	await userEvent.type(name(), ADMIN.name);
	await userEvent.click(submit());
	await vi.waitFor(() => expect(cpf()).toHaveFocus());
});

test("the CPF is masked while typing; the caret keeps its digit and steps over dots, which cannot be deleted", async () => {
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
		["{Delete}", 4, "579.2", 3],
	] as const) {
		cpf().setSelectionRange(from, from);
		await userEvent.keyboard(key);
		expect([cpf().value, cpf().selectionStart]).toEqual([value, caret]);
	}
});

test("a keyboard that composes is not interrupted: the CPF is masked at the end", async () => {
	await show();
	cpf().focus();
	fireEvent.compositionStart(cpf());
	for (const value of ["5", "52998", "52998224725"]) {
		fireEvent.input(cpf(), { target: { value }, isComposing: true });
		expect(cpf()).toHaveValue(value);
	}
	fireEvent.compositionEnd(cpf());
	expect(cpf()).toHaveValue("529.982.247-25");
});

describe("values set without an event, as by password managers,", () => {
	const fillSilently = (texts: readonly string[]) => {
		for (const [at, field] of [bank(), name(), cpf()].entries())
			field.value = texts[at] ?? "";
	};

	test.each([
		["a press", () => userEvent.click(submit())],
		["Enter", () => userEvent.type(cpf(), "{Enter}")],
		["a script", async () => act(() => submit().form?.requestSubmit())],
	])("are sent by %s", async (_how, send) => {
		const { saved } = await show();
		fillSilently(["nubank", "Bia Lima", "52998224725"]);
		await send();
		expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
		expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
	});

	test("stay and are checked", async () => {
		const { saved } = await show();
		fillSilently(["credi", "Bia Lima", "529"]);
		await userEvent.click(submit());
		expect(bank()).toHaveAccessibleDescription(WORDS.bank);
		expect(cpf()).toHaveAccessibleDescription(WORDS.wrongCpf);
		expect(values()).toEqual(["credi", "Bia Lima", "529"]);
		expect(saved()).toEqual([]);
	});

	test("stay while another field is edited", async () => {
		await show();
		name().value = "Bia Lima";
		await userEvent.type(cpf(), "1");
		await userEvent.tab();
		expect(name()).toHaveValue("Bia Lima");
	});
});

test("name and CPF say to keyboards and password managers what they are", async () => {
	await show();
	expect(name()).toHaveAttribute("autocomplete", "name");
	expect(name()).toHaveAttribute("autocapitalize", "words");
	expect(name()).toHaveAttribute("spellcheck", "false");
	expect(cpf()).toHaveAttribute("autocomplete", "off");
	expect(cpf()).toHaveAttribute("placeholder", "000.000.000-00");
});

test("a twelfth digit of the CPF is dropped", async () => {
	await show(FORM);
	await userEvent.type(cpf(), "9");
	expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
	expect(cpf().selectionStart).toBe(FORM.cpf.length);
});

describe("what the session knows", () => {
	test("fills in the form, which stays editable, with the chosen one of two banks with one code", async () => {
		const { saved } = await show(OTHER);
		expect(values()).toEqual(["Credi Sul", OTHER.name, OTHER.cpf]);
		for (const field of [name(), cpf()])
			expect(field).not.toHaveAttribute("readonly");
		await userEvent.click(submit());
		expect(saved()).toEqual([{ session: "s-1", ...OTHER }]);
	});

	test("selects the chosen one of two banks whose long names start alike", async () => {
		const long = "Cooperativa de Crédito de Livre Admissão de ";
		const banks = ["Água Mansa", "Boa Vista"].map((place) => ({
			code: "756",
			name: long + place,
		}));
		const list: Answer[] = [{ body: { banks } }];
		const { saved } = await show(ADMIN, { list });
		await userEvent.type(bank(), "boa vista{Enter}");
		await userEvent.click(submit());
		const sent = saved()[0] as SaveBankFormInput;
		await unmountIslands();
		document.body.innerHTML = "";
		const { bank: code, bankName } = sent;
		await show({ ...ADMIN, bank: code, bankName }, { list });
		expect(bank()).toHaveValue(`${long}Boa Vista`);
	});

	test("makes name and CPF read-only if the client is the administrator, and sends them", async () => {
		const { saved } = await show({
			...FORM,
			name: "Padaria",
			fixed: ["name", "cpf"],
		});
		for (const field of [name(), cpf()])
			expect(field).toHaveAttribute("readonly");
		const hint =
			"Dados informados pelo escritório. Se estiverem errados, avise o escritório.";
		expect(name()).toHaveAccessibleDescription(hint);
		expect(cpf()).toHaveAccessibleDescription("");
		await userEvent.type(name(), "x");
		await userEvent.click(submit());
		expect(saved()).toEqual([{ session: "s-1", ...FORM, name: "Padaria" }]);
	});
});

test.each([
	["name", name],
	["cpf", cpf],
] as const)(
	"if only the %s is read-only, it says who has stated it",
	async (field, fixed) => {
		await show({ ...FORM, fixed: [field] });
		const stated =
			"Informado pelo escritório. Se estiver errado, avise o escritório.";
		expect(fixed().getAttribute("aria-describedby")).toContain(
			screen.getByText(stated).id,
		);
	},
);

describe("sending", () => {
	test("is busy and ignores a second click until the page has navigated or the navigation has stalled", async () => {
		const answer = deferred<{ body: unknown }>();
		const { saved, replace } = await show({}, { save: [answer.promise] });
		await fill();
		await userEvent.dblClick(submit());
		expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
		expect(heard(), "no number of errors").toEqual(["Banco escolhido: Nubank"]);
		expect(submit()).toHaveAttribute("aria-busy", "true");
		expect(submit()).toHaveFocus();
		await act(async () =>
			answer.settle({ body: { to: "/integration/widget" } }),
		);
		expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/widget");
		expect(submit()).toHaveAttribute("aria-busy", "true");
	});

	test("can be used again if the navigation stalls", async () => {
		await show(FORM);
		vi.useFakeTimers();
		const user = userEvent.setup({ delay: null });
		await user.click(submit());
		await act(() => vi.advanceTimersByTimeAsync(7999));
		expect(submit()).toHaveAttribute("aria-busy", "true");
		expect(cpf()).toHaveAttribute("readonly");
		await act(() => vi.advanceTimersByTimeAsync(1));
		expect(submit()).not.toHaveAttribute("aria-busy");
		expect(cpf()).not.toHaveAttribute("readonly");
	});

	test("a later save keeps the form busy for as long as its own navigation", async () => {
		await show(FORM, { save: [SAVED, SAVED] });
		vi.useFakeTimers();
		const user = userEvent.setup({ delay: null });
		await user.click(submit());
		await act(() => vi.advanceTimersByTimeAsync(8000));
		await user.click(submit());
		await act(() => vi.advanceTimersByTimeAsync(7999));
		expect(submit()).toHaveAttribute("aria-busy", "true");
	});

	test("locks the fields until a failure that stays", async () => {
		const answer = deferred<{ status: number; text: string }>();
		const { calls, saved } = await show(FORM, {
			save: [answer.promise, SAVED],
		});
		await userEvent.click(submit());
		const locked = () =>
			[bank(), name(), cpf()].map((field) => [
				field.readOnly,
				field.getAttribute("aria-disabled"),
			]);
		expect(submit()).toHaveFocus();
		expect(locked()).toEqual(Array(3).fill([true, "true"]));
		await userEvent.type(cpf(), "1");
		await userEvent.type(bank(), "brasil{ArrowDown}{Enter}");
		await userEvent.keyboard("{Escape}{Escape}");
		await userEvent.tab();
		expect(screen.queryByRole("option")).not.toBeInTheDocument();
		expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
		expect(calls.at(-1)?.init.signal?.aborted).toBe(false);
		expect(submit()).toHaveAttribute("aria-busy", "true");
		await act(async () => answer.settle({ status: 502, text: "" }));
		expect(locked()).toEqual(Array(3).fill([false, null]));
		await userEvent.clear(cpf());
		await userEvent.type(cpf(), "11144477735");
		await userEvent.clear(bank());
		await userEvent.type(bank(), "brasil{Enter}");
		await userEvent.click(submit());
		expect(saved()).toMatchObject([
			FORM,
			{ bank: "001", cpf: "111.444.777-35" },
		]);
	});

	test("without a response shows a toast and advice, and keeps the entered values", async () => {
		const ADVICE = "Ainda sem confirmação. Confira a internet e toque de novo.";
		const { replace } = await show(FORM, { save: ["offline", SAVED] });
		await userEvent.click(submit());
		expect(toasts()).toEqual([REQUEST_FAILED]);
		expect(heard()).toContain(ADVICE);
		expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
		await userEvent.click(submit());
		expect(heard()).not.toContain(ADVICE);
		expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/widget");
	});
});

test("stays busy while a failure navigates away", async () => {
	const failure = { navigate: { to: "/error/token-expired" } };
	const { replace } = await show(FORM, {
		save: [{ status: 410, body: failure }],
	});
	await userEvent.click(submit());
	expect(replace.mock.calls).toEqual([["/error/token-expired"]]);
	expect(submit()).toHaveAttribute("aria-busy", "true");
});

describe("the list of banks", () => {
	const WAIT = "Aguarde a lista de bancos.";

	test("is announced as loading and as slow until it has loaded", async () => {
		vi.useFakeTimers();
		const list = deferred<{ body: unknown }>();
		const { lists } = await show({}, { list: [list.promise] });
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
		expect(bank()).toHaveAccessibleDescription(
			"Digite o nome ou o número do banco.",
		);
		expect(lists()).toEqual([{ session: "s-1" }]);
	});

	test("has to be awaited before a submit, and a saved bank that it lacks has to be chosen again", async () => {
		const list = deferred<{ body: unknown }>();
		const { saved } = await show(
			{ ...FORM, name: "", cpf: "" },
			{ list: [list.promise] },
		);
		await userEvent.click(submit());
		expect(bank()).toHaveFocus();
		expect(bank()).toHaveAccessibleDescription(WAIT);
		expect(name()).toHaveAccessibleDescription(WORDS.name);
		expect(cpf()).toHaveAccessibleDescription(WORDS.cpf);
		expect(screen.getByText("Há 3 campos a corrigir.")).toBeInTheDocument();
		await act(async () =>
			list.settle({ body: { banks: [{ code: "1", name: "Other" }] } }),
		);
		expect(values()).toEqual(["", "", ""]);
		expect(bank()).toHaveAccessibleDescription(
			expect.stringContaining(WORDS.bank),
		);
		expect(saved()).toEqual([]);
	});

	test("has to be awaited before a submit, which then sends the saved bank", async () => {
		const list = deferred<{ body: unknown }>();
		const { saved } = await show(FORM, { list: [list.promise] });
		await userEvent.click(submit());
		expect(saved()).toEqual([]);
		await act(async () => list.settle({ body: { banks: BANKS } }));
		expect(bank()).toBeValid();
		await userEvent.click(submit());
		expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
	});

	test.each<[string, Answer, string]>([
		["did not load", "offline", "Não foi possível carregar a lista de bancos."],
		[
			"is empty",
			{ body: { banks: [] } },
			"A lista de bancos veio vazia. Tente de novo ou fale com o escritório.",
		],
	])(
		"that %s can be requested again, and the typed text stays",
		async (_how, answer, why) => {
			await show({}, { list: [answer, LIST] });
			expect(bank()).toHaveAttribute("placeholder", "Lista indisponível");
			expect(bank()).not.toHaveAttribute("aria-busy");
			expect(bank()).toHaveAccessibleDescription(why);
			expect(heard()).toEqual([why]);
			expect(bank(), "nobody has submitted the form").toBeValid();
			await userEvent.type(name(), "Bia");
			await userEvent.click(submit());
			expect(bank()).toBeInvalid();
			expect(bank()).toHaveAccessibleDescription(why);
			await userEvent.click(
				screen.getByRole("button", { name: "Tentar de novo" }),
			);
			await userEvent.click(bank());
			expect(screen.getAllByRole("option")).toHaveLength(4);
			expect(name()).toHaveValue("Bia");
		},
	);

	test("that is refused navigates away without a message, unless the navigation stalls", async () => {
		vi.useFakeTimers();
		const list: Answer[] = [
			{ status: 410, body: { navigate: { to: "/error/token-expired" } } },
		];
		const { replace } = await show({}, { list });
		const retry = () =>
			screen.queryByRole("button", { name: "Tentar de novo" });
		expect(replace).toHaveBeenCalledExactlyOnceWith("/error/token-expired");
		expect(heard()).toEqual([]);
		expect(retry()).not.toBeInTheDocument();
		await act(() => vi.advanceTimersByTimeAsync(8000));
		expect(retry()).toBeInTheDocument();
	});
});

test.each<[string, Partial<BankFormContext>, string, boolean, string[]]>([
	[
		"prefers the kept bank and name to the session's",
		OTHER,
		"s-1",
		false,
		["Nubank", "Bia Lima", OTHER.cpf],
	],
	["keeps them for their session only", {}, "s-2", false, ["", "", ""]],
	[
		"does not change a read-only name",
		{ name: "Da Firma", fixed: ["name"] },
		"s-1",
		false,
		["Nubank", "Da Firma", ""],
	],
	["keeps nothing that has been sent", {}, "s-1", true, ["", "", ""]],
])(
	"a reload %s, but never the CPF",
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

test("the form works in a browser that denies access to its storage", async () => {
	for (const method of ["getItem", "setItem", "removeItem"] as const)
		vi.spyOn(Storage.prototype, method).mockImplementation(() => {
			throw new DOMException("denied", "SecurityError");
		});
	const { saved, replace } = await show();
	await fill();
	await userEvent.click(submit());
	expect(saved()).toEqual([{ session: "s-1", ...FORM }]);
	expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/widget");
});

test("a draft keeps its bank while the list is not loaded", async () => {
	keepDraft("s-1", { bank: "260", bankName: "Nubank" });
	await show({}, { list: ["offline"] });
	await userEvent.type(name(), "Bia Lima");
	await unmountIslands();
	document.body.innerHTML = "";
	await show();
	expect(values()).toEqual(["Nubank", "Bia Lima", ""]);
});

test("a kept draft of another shape is dropped, but for its texts", async () => {
	const draft = { name: ["x"], bank: 7, cpf: null, fixed: "x", bankName: "x" };
	sessionStorage.setItem("vincula-form:s-1", JSON.stringify(draft));
	await show(FORM);
	expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
	sessionStorage.setItem("vincula-form:s-2", '"x"');
	await unmountIslands();
	document.body.innerHTML = "";
	await show(FORM, { session: "s-2" });
	expect(values()).toEqual(["Nubank", FORM.name, FORM.cpf]);
});

test("the tab keeps nothing of a form that nobody has edited", async () => {
	await show(FORM);
	await userEvent.click(name());
	await userEvent.tab();
	await act(async () => {});
	expect({ ...sessionStorage }).toEqual({});
});

describe("the prerendered form", () => {
	test("is empty, and nothing in it can be used", () => {
		const host = serve({ ...ADMIN, fixed: ["name"] });
		for (const control of [bank(), name(), cpf(), submit()])
			expect(control).toBeDisabled();
		expect(host.innerHTML).not.toContain(ADMIN.cpf);
		expect(values()).toEqual(["", "", ""]);
	});

	test("has what the tab has kept once it is hydrated, but not in a fixed field", async () => {
		keepDraft("s-1", OTHER);
		await show({ ...ADMIN, fixed: ["name"] });
		expect(values()).toEqual(["Credi Sul", ADMIN.name, OTHER.cpf]);
	});

	test.each<[BankFormContext["fixed"], boolean]>([
		[[], true],
		[["name"], true],
		[["cpf"], false],
		[["name", "cpf"], false],
	])(
		"with %j fixed and the bank asked again %j hydrates without mismatch, filled in",
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
			for (const field of [bank(), name(), cpf(), submit()])
				expect(field).toBeEnabled();
			const again = screen.queryAllByText(
				"Na próxima tela, toque outra vez no seu banco.",
			);
			expect(again).toHaveLength(bankIsAskedAgain ? 1 : 0);
		},
	);
});
