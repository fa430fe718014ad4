import { render } from "@testing-library/react";
import { expect, test } from "vitest";
import { PROGRESS_ID, Progress } from "./Progress";

test.each([
	["authorize", "Passo 1 de 5: Autorizar", 1],
	["bank", "Passos 2 e 3 de 5: Banco e administrador", 3],
	["connect", "Passo 4 de 5: Entrar no banco", 4],
	["confirm", "Passo 5 de 5: Confirmar", 5],
] as const)(
	"at %s the text names the step, and a silent bar is filled up to it",
	(at, text, filled) => {
		const { container } = render(<Progress at={at} />);
		expect(container).toHaveTextContent(new RegExp(`^${text}$`));
		expect(document.getElementById(PROGRESS_ID)).toHaveTextContent(text);
		const bar = container.querySelector("[aria-hidden=true]");
		expect(
			[...(bar?.children ?? [])].map((one) => one.hasAttribute("data-filled")),
		).toEqual([1, 2, 3, 4, 5].map((step) => step <= filled));
	},
);
