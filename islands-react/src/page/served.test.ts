import { expect, test } from "vitest";
import { rememberServed, rememberWhenParsed, restoreServed } from "./served";

/** Puts an island into the document, as the server sends it. */
function parse(): HTMLElement {
	document.body.innerHTML = `<leptos-island><form>
		<p>Autorizo <strong>Contábil Horizonte</strong> a ler</p>
		<input type="text" name="name"><input type="checkbox" name="consent">
		<details><summary>O administrador é outra pessoa?</summary>Fale com o escritório.</details>
	</form></leptos-island><footer></footer>`;
	return document.body.firstElementChild as HTMLElement;
}

function serve(): HTMLElement {
	const island = parse();
	rememberServed();
	return island;
}

function nodesOf(root: Node): Node[] {
	return [root, ...[...root.childNodes].flatMap(nodesOf)];
}

function textsIn(root: Node): Text[] {
	return nodesOf(root).filter((node) => node instanceof Text);
}

const field = (name: string) =>
	document.querySelector(`[name=${name}]`) as HTMLInputElement;

/** How others change a page. */
const CHANGES: Record<string, (island: HTMLElement) => void> = {
	"Chrome's translator wraps texts": (island) => {
		for (const text of textsIn(island)) {
			const [outer, inner] = [1, 2].map(() => document.createElement("font"));
			inner?.append(`[${text.data}]`);
			outer?.append(inner ?? "");
			text.replaceWith(outer ?? "");
		}
	},
	"Safari's translator replaces texts": (island) => {
		for (const text of textsIn(island)) text.replaceWith(`[${text.data}]`);
	},
	"Firefox's translator changes texts": (island) => {
		for (const text of textsIn(island)) text.data = `[${text.data}]`;
	},
	"a translator moves words": (island) => {
		const sentence = island.querySelector("p");
		sentence?.prepend(...[...sentence.childNodes].reverse());
	},
	"an extension inserts elements": (island) => {
		for (const element of island.querySelectorAll("*"))
			element.after(document.createElement("div"));
		island.prepend(document.createComment("extension"));
	},
	"an extension wraps inputs": (island) => {
		for (const input of island.querySelectorAll("input")) {
			const wrapper = document.createElement("span");
			input.before(wrapper);
			wrapper.append(input);
		}
	},
	"an extension removes the island's content": (island) => {
		island.replaceChildren();
	},
};

for (const [change, apply] of Object.entries(CHANGES)) {
	test(`restores the served nodes: ${change}`, () => {
		const island = serve();
		const served = nodesOf(island);
		const markup = island.innerHTML;
		apply(island);
		restoreServed();
		const nodes = nodesOf(island).map((node) => served.indexOf(node));
		expect(nodes).toEqual([...served.keys()]);
		expect(island.innerHTML).toBe(markup);
	});
}

for (const change of Object.keys(CHANGES).slice(0, 3)) {
	test(`remembers the served nodes although they change while the document is parsed: ${change}`, async () => {
		const translator = new MutationObserver(() => {
			translator.disconnect();
			CHANGES[change]?.(island);
		});
		translator.observe(document, { childList: true, subtree: true });
		rememberWhenParsed();
		const island = parse();
		const served = nodesOf(island);
		const markup = island.innerHTML;
		// The observers run.
		await Promise.resolve();
		expect(island.innerHTML).not.toBe(markup);
		restoreServed();
		const nodes = nodesOf(island).map((node) => served.indexOf(node));
		expect(nodes).toEqual([...served.keys()]);
		expect(island.innerHTML).toBe(markup);
	});
}

test("inputs keep what was entered, their focus and its selection, and an answer stays open", () => {
	for (const apply of Object.values(CHANGES).slice(0, -1)) {
		const island = serve();
		field("name").value = "Maria Lima";
		field("name").focus();
		field("name").setSelectionRange(2, 5);
		field("consent").checked = true;
		island.querySelector("details")?.toggleAttribute("open", true);
		apply(island);
		// Wrapping an input moves it, which takes its focus.
		field("name").focus();
		restoreServed();
		expect(field("name")).toHaveFocus();
		expect(field("name").value).toBe("Maria Lima");
		expect(field("name").selectionStart).toBe(2);
		expect(field("name").selectionEnd).toBe(5);
		expect(field("consent")).toBeChecked();
		expect(island.querySelector("details")).toHaveAttribute("open");
	}
});

test("restores only what is inside the given element", () => {
	const island = serve();
	island.querySelector("summary")?.replaceChildren("Not you?");
	island.querySelector("strong")?.replaceChildren("Accounting Horizon");
	restoreServed(island.querySelector("details") as Element);
	expect(island.querySelector("summary")).toHaveTextContent(
		"O administrador é outra pessoa?",
	);
	expect(island.querySelector("strong")).toHaveTextContent(
		"Accounting Horizon",
	);
});

test("does nothing in a document without remembered nodes", () => {
	delete window.vinculaServed;
	document.body.innerHTML = "<leptos-island><p>texto</p></leptos-island>";
	restoreServed();
	expect(document.body.innerHTML).toBe(
		"<leptos-island><p>texto</p></leptos-island>",
	);
});
