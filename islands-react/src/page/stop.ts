/**
 * Stops this page when an action finds that another link has replaced its session, or that the session
 * has ended: its requests are aborted, nothing is requested any more, and only a dialog is shown.
 */

/** Why a page stops: another session has replaced its own, or its session has ended. */
type Reason = "other_tab" | "no_session";

export type Stopping = {
	/** Aborted when the page stops, with the `Reason`, once the dialog is shown. */
	stopped: AbortSignal;
	/** Stops the page. Never resolves, because nothing follows. */
	stop(reason: Reason): Promise<never>;
};

/** Creates the means to stop one page. */
export function createStopping(): Stopping {
	const controller = new AbortController();
	const stop = (reason: Reason): Promise<never> => {
		if (!controller.signal.aborted) {
			showNotice(reason);
			controller.abort(reason);
		}
		return new Promise(() => {});
	};
	return { stopped: controller.signal, stop };
}

/** Shows the dialog, which stays open. Its texts are those of a newer link, and have the others as data. */
function showNotice(reason: Reason): void {
	const notice = document.querySelector<HTMLDialogElement>("dialog#stopped");
	if (!notice) return;
	if (reason === "no_session") {
		for (const part of notice.querySelectorAll<HTMLElement>("[data-ended]"))
			part.textContent = part.dataset.ended ?? "";
	}
	// Escape closes it where `closedby` is unknown.
	notice.addEventListener("close", () => notice.showModal());
	notice.showModal();
}
