import { describe, expect, test, vi } from "vitest";
import { answerActions, page } from "../testing/page";
import { startStep } from "./step";

const RECEIPT = `<dl><div class="facts__one"><dt>Documento</dt><dd>CNPJ **.1</dd></div>
  <div class="facts__one"><dt>Contas</dt><dd>Itaú</dd><dd>Inter</dd></div></dl>
  <button id="print" hidden></button><button id="share" hidden></button>`;

test("the receipt can be printed, and shared as text in browsers that support it", () => {
	const [print, share] = [vi.fn(), vi.fn(async (_data: ShareData) => {})];
	vi.stubGlobal("print", print);
	document.title = "Comprovante — Firma";
	const buttons = () =>
		["print", "share"].map(
			(id) => document.getElementById(id) as HTMLButtonElement,
		);
	document.body.innerHTML = RECEIPT;
	startStep(page);
	expect(buttons().map(({ hidden }) => hidden)).toEqual([false, true]);
	Object.defineProperty(navigator, "share", {
		configurable: true,
		value: share,
	});
	document.body.innerHTML = RECEIPT;
	startStep(page);
	for (const button of buttons()) button.click();
	Reflect.deleteProperty(navigator, "share");
	expect(print).toHaveBeenCalledOnce();
	const text = "Comprovante — Firma\nDocumento: CNPJ **.1\nContas: Itaú; Inter";
	expect(share).toHaveBeenCalledExactlyOnceWith({
		title: "Comprovante — Firma",
		text,
	});
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
	const ISLAND = "<leptos-island></leptos-island>";

	function requested(screen: string, content: string): unknown[] {
		const calls = answerActions({});
		document.body.dataset.page = screen;
		document.body.innerHTML = `${content}<div id="other-tab" data-session="s-1"></div>`;
		startStep(page);
		delete document.body.dataset.page;
		return calls.map(({ action, input }) => [action, input]);
	}

	test.each([
		["bank-form", "list_banks"],
		["accounts", "list_accounts"],
		["cancel-confirm", "list_accounts"],
	])("is requested before the island loads: %s", (screen, action) => {
		expect(requested(screen, ISLAND)).toEqual([[action, { session: "s-1" }]]);
	});

	test.each([
		["accounts", "a list from the server"],
		["success", ISLAND],
	])("is not requested without need: %s, %s", (screen, content) => {
		expect(requested(screen, content)).toEqual([]);
	});
});
