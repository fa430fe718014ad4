/** One step of the journey, whether it came as a document of its own or in the place of the entry. */
import { focusTitle } from "./focus-title";
import { notices } from "./messages";
import { watchOtherTabs } from "./other-tab";
import type { Page } from "./page";

/** The pages that deliver an item in the background; those of Connect, the accounts and the cancellation do it themselves. */
const DELIVERING = ["consent", "bank-form", "success"];

/** How long the line about copying is empty between two announcements, in milliseconds: a shorter gap may pass unnoticed. */
const SILENT_MS = 150;

/** Makes the step work. Every part does nothing if the step lacks its markup. */
export function startStep(page: Page): void {
	watchOtherTabs(page);
	operateCopying();
	operateReceipt();
	if (document.body.dataset.unanswered !== undefined)
		page.toast("error", notices.noReply);
	focusTitle();
	const session = document.getElementById("other-tab")?.dataset.session;
	if (session !== undefined) {
		// Connect has linked an account, and the server does not know it yet.
		if (page.undelivered(session) !== null)
			document.getElementById("not-linked")?.remove();
		if (DELIVERING.includes(document.body.dataset.page ?? ""))
			void page.deliver(session);
	}
	page.watchIslands();
}

/** Lets the support code of an error screen be copied. Without a clipboard it can only be selected. */
function operateCopying(): void {
	const code = document.getElementById("support-code");
	const button = document.getElementById("copy-code");
	const status = document.getElementById("copied");
	if (!code || !button || !navigator.clipboard) return;
	button.hidden = false;
	button.addEventListener("click", async () => {
		// The same words are announced again only if they were gone.
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

/** Lets the receipt be printed, which is also how browsers save a page, and passed on as text. */
function operateReceipt(): void {
	const print = document.getElementById("print");
	const share = document.getElementById("share");
	if (!print || !share) return;
	print.hidden = false;
	print.addEventListener("click", () => window.print());
	share.hidden = !("share" in navigator);
	share.addEventListener("click", () => {
		const facts = [...document.querySelectorAll(".facts__one")].map(
			({ children: [name, ...values] }) =>
				[
					name?.textContent,
					values.map(({ textContent }) => textContent).join("; "),
				].join(": "),
		);
		// Dismissed, or refused by an embedded browser: the page stays as it is.
		navigator
			.share({
				title: document.title,
				text: [document.title, ...facts].join("\n"),
			})
			.catch(() => undefined);
	});
}
