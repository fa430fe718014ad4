import { render, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";
import { Progress } from "./Progress";

test.each([
	["authorize", "Passo 1 de 5", 1],
	["bank", "Passos 2 e 3 de 5", 2],
	["connect", "Passo 4 de 5", 4],
] as const)(
	"at %s one step is current, and those before it say that they are done in place of their number",
	(at, name, current) => {
		render(<Progress at={at} />);
		const steps = within(screen.getByRole("list", { name })).getAllByRole(
			"listitem",
		);
		const names = [
			"Autorizar",
			"Banco",
			"Administrador",
			"Entrar no banco",
			"Confirmar",
		];
		const expected = names.map((name, index) =>
			index + 1 < current ? `${name}, concluído` : `${index + 1} ${name}`,
		);
		expect(steps.map((step) => step.textContent?.trim())).toEqual(expected);
		expect(steps.map((step) => step.getAttribute("aria-current"))).toEqual(
			names.map((_, index) => (index + 1 === current ? "step" : null)),
		);
	},
);
