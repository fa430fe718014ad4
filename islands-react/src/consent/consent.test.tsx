import { act, fireEvent, screen, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import type { ConsentContext } from "../generated/types";
import { CONSENT_VERSION } from "../generated/words";
import { screens } from "../prerender";
import {
	answerActions,
	CONTEXT,
	deferred,
	heard,
	mountIsland,
	putContext,
	putHost,
	REQUEST_FAILED,
	renderTemplate,
	toasts,
	watchLocation,
} from "../testing/page";
import { mount } from "./index";

const CONSENT: ConsentContext = {
	clientDocument: "CPF ***.982.247-**",
};
const HINT = "Marque a caixa para continuar";
const UNANSWERED = "Ainda sem confirmação. Confira a internet e toque de novo.";
const ACCEPTED = { body: { to: "/integration/accounts" } };

const button = () =>
	screen.getByRole<HTMLButtonElement>("button", {
		name: "Autorizar integrações bancárias",
	});
const box = () => screen.getByRole<HTMLInputElement>("checkbox");

/** Puts the screen into the document as the server renders it. Returns its host. */
function serve(): HTMLElement {
	putContext({ ...CONTEXT, consent: CONSENT });
	const { session, customerName, clientName } = CONTEXT;
	return putHost(
		renderTemplate(screens.consent, {
			session,
			customerName,
			clientName,
			...CONSENT,
		}),
	);
}

test("shows firm, data, purpose, term and that access is read-only, before and after hydration", async () => {
	const host = serve();
	const before = [...host.querySelectorAll("*")];
	await mountIsland(mount, host);
	expect([...host.querySelectorAll("*")]).toEqual(before);
	expect(before.every((node) => node.isConnected)).toBe(true);
	const heading = screen.getByRole("heading", { level: 1 });
	for (const element of [heading, box().labels?.[0]]) {
		expect(
			element?.querySelector("strong"),
			"screen readers split a text there",
		).toBeNull();
	}
	expect(heading).toHaveTextContent(
		/^Contábil "Horizonte" & Filhos pede acesso/,
	);
	expect(heading).toHaveAccessibleDescription("Passo 1 de 5: Autorizar");
	const data = screen.getByRole("heading", {
		name: "Dados que serão compartilhados",
	}).parentElement as HTMLElement;
	expect(
		within(data)
			.getAllByRole("listitem")
			.map((item) => item.textContent),
	).toEqual([
		"Instituição financeira",
		"Número da agência",
		"Número da conta corrente",
		"Dados de extrato bancário",
	]);
	for (const text of [
		"Cliente: Padaria Pão & Cia <Ltda> CPF ***.982.247-**",
		"Somente leitura. O escritório não movimenta dinheiro nem vê senhas.",
		"Finalidade: contabilidade. Vale até você cancelar.",
		"Autorizo o escritório a ler estes dados pelo Open Finance.",
	]) {
		expect(host).toHaveTextContent(text);
	}
	expect(host.innerHTML).not.toMatch(/\{\{|UNKNOWN|style=/);
});

test("shows the five steps and questions with answers below the title, which alone names the firm", async () => {
	const host = serve();
	await mountIsland(mount, host);
	const steps = screen.getByRole("heading", { name: "Como funciona" })
		.nextElementSibling as HTMLElement;
	const items = within(steps).getAllByRole("listitem");
	expect(
		items.map((item) => [
			item.textContent?.trim(),
			item.getAttribute("aria-current"),
		]),
	).toEqual([
		[
			"1 Autorize o escritório a ler os extratos da sua conta no banco.",
			"step",
		],
		["2 Selecione o banco.", null],
		["3 Informe o nome e o CPF de quem administra a conta no banco.", null],
		[
			"4 Entre no site ou no aplicativo do banco com a sua agência e conta.",
			null,
		],
		["5 Confirme a conexão.", null],
	]);
	for (const text of [
		"regulado pelo Banco Central",
		"feita pela Pluggy",
		"no seu banco ou falando com o escritório.",
		"Não reconhece este pedido?",
	]) {
		expect(host).toHaveTextContent(text);
	}
	const doubt = screen.getByText("Não reconhece este pedido?");
	const accounts = screen.getByRole("link", { name: "Ver minhas contas" });
	expect(accounts).toHaveAttribute("href", "/integration/accounts");
	const order = [box(), button(), doubt, accounts, steps];
	order.reduce((before, after) => {
		expect(
			before.compareDocumentPosition(after) & Node.DOCUMENT_POSITION_FOLLOWING,
			"box and button stand together",
		).toBeTruthy();
		return after;
	});
	expect(host.innerHTML.split("Horizonte")).toHaveLength(2);
});

test("answers are closed until the person opens them, also before hydration", async () => {
	const host = serve();
	const answers = screen.getAllByRole<HTMLDetailsElement>("group");
	const areOpen = () => answers.map(({ open }) => open);
	expect(areOpen()).toEqual([false, false, false, false]);
	await userEvent.click(screen.getByText("O que é o Open Finance?"));
	await mountIsland(mount, host);
	expect(areOpen()).toEqual([false, true, false, false]);
});

test("without the consent's data, the served form stays", async () => {
	const host = serve();
	putContext({ ...CONTEXT, consent: null });
	const served = host.innerHTML;
	await expect(mountIsland(mount, host)).rejects.toThrow(
		"context without consent",
	);
	expect(host.innerHTML).toBe(served);
});

test("before hydration the browser posts the form, but not without the tick", async () => {
	serve();
	const form = button().form as HTMLFormElement;
	expect([form.method, form.getAttribute("action"), form.noValidate]).toEqual([
		"post",
		"/integration/widget",
		false,
	]);
	expect([
		button().getAttribute("type"),
		button().hasAttribute("aria-disabled"),
	]).toEqual(["submit", false]);
	expect(form.checkValidity()).toBe(false);
	await userEvent.click(box());
	expect(form.checkValidity()).toBe(true);
	const posted = Object.fromEntries(new FormData(form));
	expect(posted).toEqual({
		session: "s-1",
		consent: String(CONSENT_VERSION),
	});
});

describe("the form", () => {
	async function show(answers: Parameters<typeof answerActions>[0] = {}) {
		const { replace } = watchLocation();
		const calls = answerActions(answers);
		await mountIsland(mount, serve());
		return { calls, replace };
	}

	/** Expects that box and button are described by the hint, or that they are not. */
	function expectWaiting(isWaiting: boolean): void {
		expect(button().hasAttribute("aria-disabled")).toBe(isWaiting);
		// A hidden text can still be a description, so nothing may refer to it.
		for (const element of [box(), button()])
			expect(element.hasAttribute("aria-describedby")).toBe(isWaiting);
		for (const element of [box(), button()])
			expect(element).toHaveAccessibleDescription(isWaiting ? HINT : "");
		expect(screen.getByText(HINT).hidden).toBe(!isWaiting);
	}

	test("has an unticked box and a disabled button with the reason; the tick toggles the button", async () => {
		await show();
		expectWaiting(true);
		await userEvent.click(box());
		expectWaiting(false);
		await userEvent.click(box());
		expectWaiting(true);
	});

	test.each([
		[
			"before hydration",
			async (host: HTMLElement) => {
				await userEvent.click(box());
				return mountIsland(mount, host);
			},
		],
		[
			"during hydration",
			(host: HTMLElement) => {
				const mounted = mountIsland(mount, host);
				// In the same task.
				fireEvent.click(box());
				return mounted;
			},
		],
	])(
		"keeps a tick made %s, which enables the button",
		async (_when, tickAndMount) => {
			const calls = answerActions({ accept_consent: [ACCEPTED] });
			watchLocation();
			await tickAndMount(serve());
			expect(box()).toBeChecked();
			expectWaiting(false);
			await userEvent.click(button());
			expect(calls.map(({ action }) => action)).toEqual(["accept_consent"]);
		},
	);

	test("without the tick sends nothing, and focuses the box, which is described by the reason", async () => {
		const { calls } = await show();
		const form = button().form as HTMLFormElement;
		expect(form.noValidate, "without the browser's own message").toBe(true);
		expect(box()).toBeRequired();
		expect(form.checkValidity(), "an untouched box is not invalid").toBe(true);
		expect(box()).not.toHaveAttribute("aria-invalid");
		act(() => button().focus());
		await userEvent.keyboard("{Enter}");
		expect(box()).toHaveFocus();
		expect(box()).toHaveAttribute("aria-invalid", "true");
		expect(form).toHaveAttribute("data-unticked");
		expect(calls).toEqual([]);
		await userEvent.click(box());
		expect(box()).not.toHaveAttribute("aria-invalid");
		expect(form).not.toHaveAttribute("data-unticked");
	});

	test("sends once unless it fails, and is busy until the navigation stalls", async () => {
		const answer = deferred<typeof ACCEPTED>();
		const { calls, replace } = await show({
			accept_consent: ["offline", answer.promise],
		});
		await userEvent.click(box());
		await userEvent.click(button());
		await vi.waitFor(() => expect(toasts()).toEqual([REQUEST_FAILED]));
		for (const attribute of ["aria-busy", "aria-disabled"])
			expect(button()).not.toHaveAttribute(attribute);
		expect(box()).toBeChecked();
		// The toast goes, and this stays until the next press.
		expect(heard()).toEqual([UNANSWERED]);
		expect(screen.getByText(UNANSWERED)).toBeVisible();
		expect(button(), "said once").not.toHaveAccessibleDescription();
		await userEvent.dblClick(button());
		expect(screen.queryByText(UNANSWERED)).not.toBeInTheDocument();
		await userEvent.keyboard("{Enter}");
		const call = {
			action: "accept_consent",
			input: { session: "s-1", version: CONSENT_VERSION },
		};
		expect(calls).toEqual([
			expect.objectContaining(call),
			expect.objectContaining(call),
		]);
		expect(button()).toHaveFocus();
		await act(async () => answer.settle(ACCEPTED));
		await vi.waitFor(() =>
			expect(replace).toHaveBeenCalledExactlyOnceWith("/integration/accounts"),
		);
		expect(button()).toHaveAttribute("aria-busy", "true");
		expect(button()).toHaveAttribute("aria-disabled", "true");
	});

	test("can be used again if the navigation stalls", async () => {
		vi.useFakeTimers();
		const user = userEvent.setup({ delay: null });
		await show({ accept_consent: [ACCEPTED] });
		await user.click(box());
		await user.click(button());
		await act(() => vi.advanceTimersByTimeAsync(7999));
		expect(button()).toHaveAttribute("aria-busy", "true");
		await act(() => vi.advanceTimersByTimeAsync(1));
		expect(button()).not.toHaveAttribute("aria-busy");
		await user.click(box());
		expect(box()).not.toBeChecked();
	});

	test("keeps the tick while it is being sent, and counts the first click after a failure", async () => {
		const answer = deferred<{ status: number; text: string }>();
		const { calls } = await show({ accept_consent: [answer.promise] });
		await userEvent.click(box());
		await userEvent.click(button());
		await userEvent.click(box());
		await userEvent.keyboard(" ");
		expect(box()).toBeChecked();
		expect(box()).toHaveAttribute("aria-disabled", "true");
		expect(screen.getByText(HINT)).not.toBeVisible();
		await act(async () => answer.settle({ status: 502, text: "" }));
		expect(box()).not.toHaveAttribute("aria-disabled");
		await userEvent.click(box());
		expect(box()).not.toBeChecked();
		expectWaiting(true);
		await userEvent.click(button());
		expect(calls).toHaveLength(1);
	});

	test("is the first stop of the tab key, before the focusable heading", async () => {
		await show();
		await userEvent.tab();
		expect(box()).toHaveFocus();
	});

	test("shows that a wait is slow", async () => {
		await show({ accept_consent: [deferred<never>().promise] });
		vi.useFakeTimers();
		const user = userEvent.setup({ delay: null });
		await user.click(box());
		await user.click(button());
		for (const [after, said] of [
			[999, []],
			[1, ["Enviando…"]],
			[6999, ["Enviando…"]],
			[1, ["Está demorando mais que o normal…"]],
		] as const) {
			act(() => void vi.advanceTimersByTime(after));
			expect(heard()).toEqual(said);
		}
		expect(
			screen.getByText("Está demorando mais que o normal…"),
		).not.toHaveClass("visually-hidden");
	});
});
