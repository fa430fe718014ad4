import { act, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { heard } from "../testing/page";
import { NotYou } from "./NotYou";

const message = () => screen.getByRole("blockquote").textContent ?? "";

afterEach(() => {
	for (const name of ["share", "clipboard"])
		Reflect.deleteProperty(navigator, name);
});

test("explains what to do with a text that has neither URL nor token", () => {
	render(<NotYou firm="Contábil Horizonte" />);
	const todo =
		/^Encaminhe a mensagem do escritório ao titular, a um sócio ou ao usuário máster da conta\./;
	expect(screen.getByText(todo)).toBeInTheDocument();
	expect(message()).toContain("Contábil Horizonte pediu");
	expect(message()).toContain("no seu próprio celular");
	expect(message()).not.toMatch(/http|www|token|\/|\?/);
	expect(heard(), "nothing was shared or copied yet").toEqual([]);
});

const refuse = (name: string) => () =>
	Promise.reject(new DOMException("no", name));
const take = () => Promise.resolve();

/** Presses with fake timers, in a browser without a clipboard. */
function fakedClick() {
	vi.useFakeTimers();
	const { click } = userEvent.setup({ delay: null });
	// Testing Library has added one.
	Reflect.deleteProperty(navigator, "clipboard");
	return click;
}

test("announces the same result again after a second press, with a gap that screen readers notice", async () => {
	const click = fakedClick();
	Object.defineProperty(navigator, "clipboard", {
		configurable: true,
		value: { writeText: take },
	});
	render(<NotYou firm="Contábil Horizonte" />);
	await click(screen.getByText("O administrador é outra pessoa?"));
	for (let times = 0; times < 2; times += 1) {
		await click(screen.getByRole("button"));
		await act(() => vi.advanceTimersByTimeAsync(149));
		expect(heard()).toEqual([]);
		await act(() => vi.advanceTimersByTimeAsync(1));
		expect(heard().join()).toMatch(/^Texto copiado/);
	}
});

test.each([
	[
		"is shared if the browser supports it",
		take,
		undefined,
		"Enviar o texto",
		/^Pronto\./,
	],
	[
		"has no announcement if the share dialog is dismissed",
		refuse("AbortError"),
		take,
		"Enviar o texto",
		/^$/,
	],
	[
		"is copied if the browser cannot share",
		undefined,
		take,
		"Copiar o texto",
		/^Texto copiado\./,
	],
	[
		"is copied if sharing is refused",
		refuse("NotAllowedError"),
		take,
		"Enviar o texto",
		/^Texto copiado\./,
	],
	[
		"is selected if it can be neither shared nor copied",
		undefined,
		undefined,
		"Copiar o texto",
		/^Não foi possível copiar\./,
	],
])("the text %s", async (_what, sharing, copying, label, said) => {
	const click = fakedClick();
	const [share, writeText] = [
		sharing && vi.fn(sharing),
		copying && vi.fn(copying),
	];
	if (share)
		Object.defineProperty(navigator, "share", {
			configurable: true,
			value: share,
		});
	if (writeText)
		Object.defineProperty(navigator, "clipboard", {
			configurable: true,
			value: { writeText },
		});
	render(<NotYou firm="Contábil Horizonte" />);
	await click(screen.getByText("O administrador é outra pessoa?"));
	await click(screen.getByRole("button", { name: label }));
	await act(() => vi.advanceTimersByTimeAsync(1000));
	expect(heard().join("")).toMatch(said);
	if (share) expect(share).toHaveBeenCalledExactlyOnceWith({ text: message() });
	expect(writeText?.mock.calls ?? []).toEqual(
		said.test("Texto copiado.") ? [[message()]] : [],
	);
	if (!share && !writeText) expect(getSelection()?.toString()).toBe(message());
});
