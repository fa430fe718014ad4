/**
 * Stops this page when another tab replaces its session, or when the session has ended: its requests
 * are aborted, later ones fail immediately, and a dialog is shown. Pages broadcast their session to other tabs. A page that receives
 * a different one asks the server, because only the server sees which session the cookie holds.
 */
import type { Page } from "./page";

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

/** Broadcasts the page's session to other tabs, and listens to theirs. No-op without a session. */
export function watchOtherTabs({
	post,
	handleFailure,
	stopped,
}: Pick<Page, "post" | "handleFailure" | "stopped">): void {
	const notice = dialog("other_tab");
	const session = notice?.dataset.session;
	if (!notice || session === undefined) return;
	let asking = false;
	const ask = async (): Promise<void> => {
		if (asking || stopped.aborted) return;
		asking = true;
		const answer = await post("check_session", { session });
		asking = false;
		if (!answer.ok && answer.failure.kind === "other_tab")
			handleFailure(answer.failure);
	};
	const channel = new BroadcastChannel("vincula");
	channel.addEventListener(
		"message",
		({ data }: MessageEvent<{ session: string }>) => {
			if (data.session !== session) void ask();
		},
	);
	// A page in the back/forward cache receives no broadcasts.
	window.addEventListener("pageshow", ({ persisted }) => {
		if (persisted) void ask();
	});
	for (const one of [notice, dialog("no_session")]) {
		// Escape must not close the dialog; if anything else closes it, it opens again.
		one?.addEventListener("cancel", (event) => event.preventDefault());
		one?.addEventListener("close", () => show(one));
	}
	const link = notice.querySelector("a");
	link?.addEventListener("click", (event) => {
		event.preventDefault();
		location.replace(link.href);
	});
	channel.postMessage({ session });
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
