import { render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { afterEach, expect, test, vi } from "vitest";
import { heard } from "../testing/page";
import { NotYou } from "./NotYou";

const message = () => screen.getByRole("blockquote").textContent ?? "";

/** Replaces the clipboard, which Testing Library adds. */
function setClipboard(writeText: () => Promise<void>) {
	const value = { writeText: vi.fn(writeText) };
	Object.defineProperty(navigator, "clipboard", { configurable: true, value });
	return value.writeText;
}

afterEach(() => void Reflect.deleteProperty(navigator, "clipboard"));

test("explains what to do with a text that has neither URL nor token", () => {
	render(<NotYou firm="Contábil Horizonte" />);
	const todo =
		/^Encaminhe a mensagem do escritório ao titular, a um sócio ou ao usuário máster da conta\./;
	expect(screen.getByText(todo)).toBeInTheDocument();
	expect(message()).toContain("Contábil Horizonte pediu");
	expect(message()).toContain("no seu próprio celular");
	expect(message()).not.toMatch(/http|www|token|\/|\?/);
	expect(
		screen.queryByText("Copiar o texto"),
		"there is no clipboard",
	).not.toBeInTheDocument();
});

test.each([
	["is copied", () => Promise.resolve(), /^Texto copiado\./],
	[
		"cannot be copied if the browser denies it",
		() => Promise.reject(new DOMException("no", "NotAllowedError")),
		/^Não foi possível copiar\./,
	],
])("the text %s", async (_what, copying, said) => {
	const user = userEvent.setup();
	const writeText = setClipboard(copying);
	render(<NotYou firm="Contábil Horizonte" />);
	await user.click(screen.getByText("O administrador é outra pessoa?"));
	await user.click(screen.getByText("Copiar o texto"));
	expect(writeText).toHaveBeenCalledExactlyOnceWith(message());
	await vi.waitFor(() => expect(heard().join()).toMatch(said));
});
