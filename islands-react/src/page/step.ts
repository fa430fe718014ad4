/** A step of the journey: its own document, or one that has replaced the entry. */

import type { EarlyAction } from "./client";
import { focusTitle } from "./focus-title";
import { notices } from "./messages";
import { keepDialogsOpen } from "./other-tab";
import type { Page } from "./page";

/** The list that a page's island needs first. */
const FIRST_LISTS: Record<string, EarlyAction> = {
	"bank-form": "list_banks",
	accounts: "list_accounts",
	"cancel-confirm": "list_accounts",
};

/** How long the status stays empty before it is announced again. Screen readers miss shorter gaps. */
const SILENT_MS = 150;

/** Starts the step's behaviour. Each function is a no-op if its markup is missing. */
export function startStep(page: Page): void {
	keepDialogsOpen();
	operateCopying();
	operatePrinting();
	if (document.body.dataset.noResponse !== undefined)
		page.toast("error", notices.noReply);
	focusTitle();
	const session = document.getElementById("other-tab")?.dataset.session;
	const list = FIRST_LISTS[document.body.dataset.page ?? ""];
	if (session !== undefined) {
		// In parallel with the island's files, which take longer.
		if (list !== undefined) page.postEarly(list, { session });
		page.watchItems(session);
	}
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
