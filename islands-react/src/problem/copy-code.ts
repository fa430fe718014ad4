/** The button of an error screen that copies the support code. */
import { SILENT_MS } from "../page/announce";

/** Operates the button; no-op without one. Without clipboard access the code is selected. */
export function operateCopying(): void {
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
