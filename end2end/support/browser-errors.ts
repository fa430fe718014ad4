/** Every error that the browser or an island reports fails the test, unless the test expects it. */
import type { BrowserContext, ConsoleMessage } from "@playwright/test";
import { CONNECT_ORIGIN, ConnectStandIn } from "./connect-stand-in.ts";
import { DEPLOYED } from "./deployed.ts";

/** Where the programs under test listen. */
const OUR_HOST =
	DEPLOYED === undefined ? "127.0.0.1" : new URL(DEPLOYED).hostname;

export class BrowserErrors {
	#seen: string[] = [];
	#expected: RegExp[] = [];
	#allowed: RegExp[] = [];

	/** Expects an error that matches each pattern; the test also fails if there is none. */
	expect(...patterns: RegExp[]): void {
		this.#expected.push(...patterns);
	}

	/** Accepts errors that match a pattern, and their absence: whether they occur is a matter of timing. */
	allow(...patterns: RegExp[]): void {
		this.#allowed.push(...patterns);
	}

	add(text: string): void {
		this.#seen.push(text);
	}

	/** Unexpected errors, and expected ones that did not occur. */
	unexpected(): string[] {
		const known = [...this.#expected, ...this.#allowed];
		const unexpected = this.#seen.filter(
			(text) => !known.some((pattern) => pattern.test(text)),
		);
		const missing = this.#expected.filter(
			(pattern) => !this.#seen.some((text) => pattern.test(text)),
		);
		return [
			...unexpected,
			...missing.map((pattern) => `expected, but did not occur: ${pattern}`),
		];
	}

	async watch(context: BrowserContext): Promise<void> {
		// Includes policy violations that the browser does not write to the console.
		await context.addInitScript(() => {
			document.addEventListener(
				"securitypolicyviolation",
				({ effectiveDirective, blockedURI, sourceFile }) => {
					console.error(
						`policy violation: ${effectiveDirective} ${blockedURI} ${sourceFile}`,
					);
				},
			);
		});
		context.on("console", (message) => this.#addMessage(message));
		context.on("weberror", (error) =>
			this.#seen.push(`page error: ${error.error().message}`),
		);
		context.on("request", (request) => {
			const { protocol, hostname, origin, pathname } = new URL(request.url());
			const known =
				hostname === OUR_HOST ||
				(origin === CONNECT_ORIGIN && ConnectStandIn.isInstalled(context));
			if (protocol.startsWith("http") && !known)
				this.#seen.push(`foreign: ${hostname}`);
			if (pathname === "/api/report_island") {
				const { island, reason } = request.postDataJSON().input;
				this.#seen.push(`island failed: ${island}: ${reason}`);
			}
		});
		context.on("requestfailed", (request) => {
			const reason = request.failure()?.errorText ?? "unknown";
			// Leaving a page aborts its requests: in Chromium, Firefox and WebKit.
			if (!/^(net::ERR_ABORTED|NS_BINDING_ABORTED|cancelled)$/i.test(reason))
				this.#seen.push(`request failed: ${request.url()} ${reason}`);
		});
		context.on("page", (page) =>
			page.on("crash", () => this.#seen.push("the page crashed")),
		);
	}

	#addMessage(message: ConsoleMessage): void {
		if (message.type() !== "error" && message.type() !== "warning") return;
		this.#seen.push(
			`console ${message.type()}: ${message.text()} @ ${message.location().url}`,
		);
	}
}
