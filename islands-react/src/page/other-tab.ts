/**
 * Stops this page when an action finds that another link has replaced its session, or that the session
 * has ended: its requests are aborted, later ones fail immediately, and a dialog is shown.
 */

/**
 * The delay before the dialog opens in a tab that becomes visible. Until then, the browser moves the
 * focus.
 */
const AFTER_RETURN_MS = 400;

/** Screen readers read the title only if it gets the focus some time after the dialog has opened. */
const TITLE_AFTER_MS = 1000;

/** Why a page stops: another session has replaced its own, or its session has ended. */
type Reason = "other_tab" | "no_session";

/** The dialog for each reason. */
const DIALOGS = { other_tab: "other-tab", no_session: "session-ended" };

export type Stopping = {
	/** Aborted when the page stops, with the `Reason`. */
	stopped: AbortSignal;
	stop(reason: Reason): void;
};

/** Creates the means to stop one page. */
export function createStopping(): Stopping {
	const controller = new AbortController();
	const stop = (reason: Reason): void => {
		if (!controller.signal.aborted) controller.abort(reason);
		show(dialog(controller.signal.reason));
	};
	return { stopped: controller.signal, stop };
}

/** Makes the dialogs stay open. No-op if their markup is missing. */
export function keepDialogsOpen(): void {
	for (const reason of ["other_tab", "no_session"] as const) {
		const notice = dialog(reason);
		// Escape must not close the dialog; if anything else closes it, it opens again.
		notice?.addEventListener("cancel", (event) => event.preventDefault());
		notice?.addEventListener("close", () => show(notice));
	}
	const link = dialog("other_tab")?.querySelector("a");
	link?.addEventListener("click", (event) => {
		event.preventDefault();
		location.replace(link.href);
	});
}

function show(notice: HTMLDialogElement | null): void {
	if (document.hidden) {
		document.addEventListener(
			"visibilitychange",
			() => setTimeout(() => show(notice), AFTER_RETURN_MS),
			{ once: true },
		);
		return;
	}
	if (!notice || notice.open) return;
	notice.showModal();
	setTimeout(() => notice.querySelector("h2")?.focus(), TITLE_AFTER_MS);
}

function dialog(reason: Reason): HTMLDialogElement | null {
	return document.querySelector<HTMLDialogElement>(`dialog#${DIALOGS[reason]}`);
}
