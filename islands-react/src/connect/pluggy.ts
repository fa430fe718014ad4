/**
 * Adapter for Pluggy Connect, the only file that uses its SDK. It converts the SDK's untyped callbacks
 * to `PluggyEvent`. Any failure to open the widget, including a throw in its constructor, becomes
 * `failed`.
 */
import type { ConnectStart } from "../generated/types";
import { pageNonce, setNonceOnStyles } from "./nonce";

/** The limit for loading the SDK and opening the widget, together. */
const OPEN_TIMEOUT_MS = 20_000;

/** The only data that Connect asks the bank for: what the consent lists. */
const PRODUCTS = ["ACCOUNTS", "TRANSACTIONS"];

/** The longest message that the server keeps, in characters. */
const MAX_MESSAGE = 500;

/** The longest id of an item that the server accepts. */
const MAX_ITEM_ID = 128;

/** The longest bank's name that is sent, in characters. */
const MAX_BANK = 80;

/** Pluggy's code for an account that waits for another person's approval. */
const USER_AUTHORIZATION_PENDING = "USER_AUTHORIZATION_PENDING";

/** Where errors of the SDK, of Pluggy's API and of JavaScript have a message, or else a code. */
const TEXTS = [
	["message"],
	["code"],
	["codeDescription"],
	["error", "message"],
	["error", "code"],
	["data", "item", "error", "message"],
	["data", "item", "error", "code"],
	["data", "item", "executionStatus"],
	["name"],
	["type"],
];

/** The SDK's event that a bank was chosen inside Connect. */
const SELECTED_INSTITUTION = "SELECTED_INSTITUTION";

export type PluggyEvent =
	| { type: "opened" }
	/**
	 * `pending`: another owner of the account still has to approve. `bank`: the bank's name as Connect
	 * gives it. Without a name it is null for the bank that was chosen before, and empty for another one.
	 */
	| {
			type: "succeeded";
			itemId: string;
			pending: boolean;
			bank: string | null;
	  }
	/** `failed`: the widget did not open. `pending` and `bank` as above. */
	| {
			type: "error" | "failed";
			message: string;
			itemId: string | null;
			pending: boolean;
			bank: string | null;
	  }
	/** The user closed the widget; closing it here does not emit this. */
	| { type: "closed" };

let isLost = false;

/**
 * Returns whether the import of the SDK has failed. Browsers up to Chromium 150 cache a failed import
 * for the lifetime of the page, so only a reload can load it.
 */
export function isSdkLost(): boolean {
	return isLost;
}

async function loadSdk(): Promise<typeof import("pluggy-connect-sdk")> {
	try {
		return await import("pluggy-connect-sdk");
	} catch (error) {
		isLost = true;
		throw error;
	}
}

/** Opens the widget in a new container inside `frame`. Returns a function that closes it. */
export function openPluggy(
	frame: Element,
	start: ConnectStart,
	emit: (event: PluggyEvent) => void,
): () => void {
	const container = document.createElement("div");
	frame.append(container);
	/** The bank chosen inside Connect, as `PluggyEvent` has it. */
	let chosen: string | null = null;
	let closing = false;
	/** Aborted once the widget is open or closed. */
	const opening = new AbortController();

	/** Closes the SDK's modal by removing its container. `closing` makes the resulting onClose a no-op. */
	function close(): void {
		closing = true;
		opening.abort();
		container.remove();
	}

	function report(type: "error" | "failed", error: unknown): void {
		const [text = "unknown error"] = textsOf(error);
		emit({
			type,
			message: shortened(text.replaceAll(start.connectToken, "…")),
			itemId: itemIdOf(at(error, "data")),
			pending: isPending(error),
			bank: bankOf(at(error, "data")) ?? chosen,
		});
	}

	function choose(id: unknown, name: unknown): void {
		const isSame = typeof id === "number" && id === start.selectedConnectorId;
		chosen = nameOf(name) ?? (isSame ? null : "");
	}

	function fail(error: unknown): void {
		if (closing) return;
		close();
		report("failed", error);
	}

	// The SDK's own timeout does not include its download, and leaves the page locked.
	const timer = setTimeout(
		() => fail(new Error(`no answer in ${OPEN_TIMEOUT_MS} ms`)),
		OPEN_TIMEOUT_MS,
	);

	document.addEventListener(
		"securitypolicyviolation",
		(violation) => {
			if (blocks(violation, container))
				fail(new Error(`blocked: ${hostOf(violation.blockedURI)}`));
		},
		{ signal: opening.signal },
	);

	async function open(): Promise<void> {
		const { PluggyConnect } = await loadSdk();
		if (closing) return;
		const widget = new PluggyConnect({
			...propsOf(start),
			onSuccess: (data) => {
				const itemId = itemIdOf(data);
				if (itemId === null)
					return report("error", new Error("success without an item's id"));
				const pending = isPending({ data });
				const bank = bankOf(data) ?? chosen;
				emit({ type: "succeeded", itemId, pending, bank });
			},
			onError: (error) => report("error", error),
			onEvent: (payload) => {
				if (at(payload, "event") === SELECTED_INSTITUTION)
					choose(
						at(payload, "connector", "id"),
						at(payload, "connector", "name"),
					);
			},
			onClose: () => {
				if (closing) return;
				close();
				emit({ type: "closed" });
			},
		});
		setNonceOnStyles();
		await widget.init(container);
		if (closing) return;
		clearTimeout(timer);
		opening.abort();
		hideDeadFrames(container);
		emit({ type: "opened" });
	}

	open().catch(fail);
	return close;
}

function propsOf(start: ConnectStart) {
	const {
		connectToken,
		includeSandbox,
		updateItem,
		url,
		cpf,
		cnpj,
		selectedConnectorId,
	} = start;
	return {
		connectToken,
		includeSandbox,
		products: PRODUCTS,
		...(updateItem ? { updateItem } : {}),
		...(selectedConnectorId ? { selectedConnectorId } : {}),
		url,
		language: "pt",
		theme: matchMedia("(prefers-color-scheme: dark)").matches
			? "dark"
			: "light",
		openFinanceParameters: {
			...(cpf ? { cpf } : {}),
			...(cnpj ? { cnpj } : {}),
		},
		timeout: OPEN_TIMEOUT_MS,
		// Needed by the SDK's spinner, which is shown while the frame is blank. Connect's page receives the
		// nonce as well.
		cspNonce: pageNonce(),
	} as const;
}

/**
 * Hides the frame that the SDK shows until Connect's page responds, and keeps afterwards. It is
 * invisible, but screen readers list it under the title of Connect's frame.
 */
function hideDeadFrames(container: Element): void {
	for (const frame of container.querySelectorAll(
		'iframe[name^="__zoid_prerender"]',
	)) {
		frame.setAttribute("aria-hidden", "true");
		frame.setAttribute("tabindex", "-1");
	}
}

/**
 * Returns whether the page's policy has blocked the widget's frame, such as a redirect of it to another host.
 * Extensions insert frames as well, outside of the container.
 */
function blocks(
	{ effectiveDirective, blockedURI }: SecurityPolicyViolationEvent,
	container: Element,
): boolean {
	const others = [...document.querySelectorAll("iframe")].filter(
		(frame) => !container.contains(frame),
	);
	return (
		effectiveDirective === "frame-src" &&
		others.every(({ src }) => !src.startsWith(blockedURI))
	);
}

/** Returns the host of a URL without what follows, which may be secret; a scheme without a host as it is. */
function hostOf(url: string): string {
	return url.split(/[/?#]/)[2] ?? url;
}

/** Returns the value at a path of untyped data, or undefined, also if reading it throws. */
function at(data: unknown, ...path: string[]): unknown {
	try {
		return path.reduce((value, name) => Object(value)[name], data);
	} catch {
		return undefined;
	}
}

function itemIdOf(data: unknown): string | null {
	const id = at(data, "item", "id");
	return typeof id === "string" && id !== "" && id.length <= MAX_ITEM_ID
		? id
		: null;
}

function bankOf(data: unknown): string | null {
	return nameOf(at(data, "item", "connector", "name"));
}

/** Returns a bank's name, shortened; null if it is not a text or is blank. */
function nameOf(name: unknown): string | null {
	if (typeof name !== "string" || name.trim() === "") return null;
	return cut(name.trim(), MAX_BANK).trim();
}

/** Returns the texts of an error that are not blank: the message first, then codes. */
function textsOf(error: unknown): string[] {
	const found = [error, ...TEXTS.map((path) => at(error, ...path))];
	return found
		.map((value) => (typeof value === "number" ? String(value) : value))
		.filter((value) => typeof value === "string")
		.filter((text) => text.trim() !== "");
}

/**
 * Cuts a message to what the server keeps. What may be the beginning of a document is removed at the
 * cut, because the server redacts whole ones only.
 */
function shortened(message: string): string {
	const kept = cut(message, MAX_MESSAGE);
	return kept.length < message.length
		? kept.replace(/[\dA-Z./-]{1,17}$/, "")
		: kept;
}

/** Cuts a text to a number of characters. Half a surrogate pair is no JSON for the server. */
function cut(text: string, length: number): string {
	const kept = [...text].slice(0, length).join("");
	return kept.replace(/\p{Surrogate}/gu, "\uFFFD");
}

/**
 * Looks for the flag, and for the code in every place where it may be, because Pluggy does not document
 * which one has it.
 */
function isPending(error: unknown): boolean {
	const flag = at(error, "data", "item", "hasResourcesPendingAuthorization");
	return (
		flag === true ||
		textsOf(error).some((text) => text.includes(USER_AUTHORIZATION_PENDING))
	);
}
