/**
 * The islands' nodes as the server sent them. Hydration expects exactly these nodes, but a translator
 * replaces text nodes, and extensions insert elements.
 */

/** An element with its child nodes, and the texts of those that are text nodes. */
type Served = { parent: Element; children: Map<ChildNode, string | null> };

declare global {
	interface Window {
		/** Shared, because a script in the document remembers the nodes and the page's module restores them. */
		vinculaServed?: Served[];
	}
}

/** Remembers the nodes of the document's islands. Call it once they are parsed. */
export function rememberServed(): void {
	const parents = document.querySelectorAll("leptos-island, leptos-island *");
	window.vinculaServed = [...parents].map((parent) => ({
		parent,
		children: new Map(
			[...parent.childNodes].map((node) => [node, node.nodeValue]),
		),
	}));
}

/**
 * Restores the remembered nodes inside `root`. Call it in the task that hydrates them. Nodes that are in
 * their place are not touched, so that inputs keep what was entered.
 */
export function restoreServed(root: Node = document): void {
	const focused = document.activeElement;
	for (const { parent, children } of window.vinculaServed ?? []) {
		if (root.contains(parent)) restoreChildren(parent, children);
	}
	// An input that had been wrapped was moved.
	if (focused instanceof HTMLElement && focused !== document.activeElement)
		focused.focus({ preventScroll: true });
}

function restoreChildren(parent: Element, children: Served["children"]): void {
	for (const node of [...parent.childNodes]) {
		if (!children.has(node)) node.remove();
	}
	let next = parent.firstChild;
	for (const [node, text] of children) {
		if (node.nodeValue !== text) node.nodeValue = text;
		if (node === next) next = node.nextSibling;
		else parent.insertBefore(node, next);
	}
}
