/** A step of the journey: its own document, or one that has replaced the entry. */

import { focusTitle, SILENT_MS } from "./announce";
import type { Page } from "./page";

/** Starts the step's behaviour. Each function is a no-op if its markup is missing. */
export function startStep(page: Page): void {
	operateCopying();
	operatePrinting();
	if (document.body.dataset.noResponse !== undefined) page.toast.show();
	focusTitle();
	const session = pageSession();
	if (session !== undefined) {
		// In parallel with the island's files, which take longer.
		if (document.body.dataset.page === "bank-form")
			page.client.postEarly("list_banks", { session });
		page.items.watch(session);
	}
}

/** Returns the id of the document's session, or undefined if it has none. */
export function pageSession(): string | undefined {
	const context = document.getElementById("vincula-context")?.textContent;
	return JSON.parse(context ?? "{}").session;
}

/** Lets the person copy an error screen's support code. Without clipboard access it is selected. */
function operateCopying(): void {
	const code = document.getElementById("support-code");
	const button = document.getElementById("copy-code");
	const status = document.getElementById("copied");
	if (!code || !button || !navigator.clipboard) return;
	button.hidden = false;
	button.addEventListener("click", async () => {
		// The same text is announced again only if it was removed in between.
		if (status) status.textContent = "";
		try {
			await navigator.clipboard.writeText(code.textContent ?? "");
			setTimeout(() => {
				if (status) status.textContent = status.dataset.words ?? "";
			}, SILENT_MS);
		} catch {
			getSelection()?.selectAllChildren(code);
		}
	});
}

/** Lets the person print the facts of a success, which is also how browsers save them. */
function operatePrinting(): void {
	const button = document.getElementById("print");
	if (!button) return;
	button.hidden = false;
	button.addEventListener("click", () => window.print());
}
