import { expect, test, vi } from "vitest";
import { operateCopying } from "./copy-code";

test("announces the copied support code after each press", async () => {
	const writeText = vi.fn(async (_text: string) => {});
	Object.defineProperty(navigator, "clipboard", {
		configurable: true,
		value: { writeText },
	});
	document.body.innerHTML = `<code id="support-code">abc</code><button id="copy-code" hidden></button>
    <p id="copied" aria-live="polite" data-words="Código copiado"></p>`;
	operateCopying();
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
