import { screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { describe, expect, test, vi } from "vitest";
import { answerActions, page, putContext } from "../testing/page";
import { startStep } from "./step";

test("the page can be printed with its button", async () => {
	const print = vi.fn();
	vi.stubGlobal("print", print);
	document.body.innerHTML = '<button id="print" hidden>Imprimir</button>';
	startStep(page);
	await userEvent.click(screen.getByRole("button", { name: "Imprimir" }));
	expect(print).toHaveBeenCalledOnce();
});

test("announces the copied support code after each press", async () => {
	const writeText = vi.fn(async (_text: string) => {});
	Object.defineProperty(navigator, "clipboard", {
		configurable: true,
		value: { writeText },
	});
	document.body.innerHTML = `<code id="support-code">abc</code><button id="copy-code" hidden></button>
    <p id="copied" aria-live="polite" data-words="Código copiado"></p>`;
	startStep(page);
	const status = document.getElementById("copied") as HTMLElement;
	const announced: (string | null)[] = [];
	new MutationObserver(() => announced.push(status.textContent)).observe(
		status,
		{ childList: true },
	);
	for (let times = 0; times < 2; times += 1) {
		document.getElementById("copy-code")?.click();
		await vi.waitFor(() => expect(status).toHaveTextContent("Código copiado"));
	}
	Reflect.deleteProperty(navigator, "clipboard");
	expect(writeText.mock.calls).toEqual([["abc"], ["abc"]]);
	expect(announced).toEqual(["Código copiado", "", "Código copiado"]);
});

describe("the list that the island needs first", () => {
	function requested(screen: string): unknown[] {
		const calls = answerActions({});
		document.body.dataset.page = screen;
		putContext();
		startStep(page);
		return calls.map(({ action, input }) => [action, input]);
	}

	test("is requested before the island loads", () => {
		expect(requested("bank-form")).toEqual([
			["list_banks", { session: "s-1" }],
		]);
	});

	test("is not requested where the island needs none", () => {
		expect(requested("success")).toEqual([]);
	});
});
