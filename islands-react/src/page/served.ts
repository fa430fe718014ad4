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

/** What others have changed while the document was parsed: the served nodes by what replaces them, and texts. */
type Changes = { replaced: Map<Node, ChildNode[]>; texts: Map<Node, string> };

/** Remembers the nodes of the document's islands as soon as they are parsed. */
export function rememberWhenParsed(): void {
	const changes: Changes = { replaced: new Map(), texts: new Map() };
	const parser = new MutationObserver((records) => {
		for (const record of records) noteChange(record, changes);
		// The footer follows the islands.
		if (document.querySelector("footer") === null) return;
		parser.disconnect();
		rememberServed(changes);
	});
	parser.observe(document, {
		childList: true,
		characterDataOldValue: true,
		subtree: true,
	});
}

/** Notes a change that is not the parser's: it only adds nodes and appends to texts. */
function noteChange(
	{ target, oldValue, addedNodes: [added], removedNodes }: MutationRecord,
	{ replaced, texts }: Changes,
): void {
	if (added !== undefined && removedNodes.length > 0)
		replaced.set(added, [...removedNodes] as ChildNode[]);
	if (oldValue !== null && !target.nodeValue?.startsWith(oldValue))
		texts.set(target, oldValue);
}

/** Remembers the nodes of the document's islands, which have been parsed. */
export function rememberServed(changes?: Changes): void {
	const served = (node: ChildNode): ChildNode[] =>
		changes?.replaced.get(node)?.flatMap(served) ?? [node];
	const textOf = (node: ChildNode) =>
		changes?.texts.get(node) ?? node.nodeValue;
	const parents = document.querySelectorAll("leptos-island, leptos-island *");
	window.vinculaServed = [...parents].map((parent) => ({
		parent,
		children: new Map(
			[...parent.childNodes]
				.flatMap(served)
				.map((node) => [node, textOf(node)]),
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
