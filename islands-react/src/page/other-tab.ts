/**
 * Stops this page when another session opens in this browser: its requests are aborted, later ones fail at
 * once, and a dialog says so. Pages announce their session; a page that hears of another one asks the server, which
 * alone sees whose cookie the browser has.
 */
import type { Page } from "./page";

/**
 * How long after the return to a hidden tab the dialog opens, in milliseconds: the focus that Firefox gives it at once, or in the
 * hidden tab, no screen reader hears of.
 */
const AFTER_RETURN_MS = 400;

export type Stopping = {
	/** Aborted once another session has replaced this page's. */
	stopped: AbortSignal;
	stop(): void;
};

/** How one page is stopped. */
export function createStopping(): Stopping {
	const controller = new AbortController();
	const stop = (): void => {
		controller.abort();
		show();
	};
	return { stopped: controller.signal, stop };
}

/** Announces the page's session to other tabs, and listens to theirs. Without a session there is nothing to stop. */
export function watchOtherTabs({
	post,
	handleFailure,
	stopped,
}: Pick<Page, "post" | "handleFailure" | "stopped">): void {
	const notice = dialog();
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
	// A page in the back/forward cache hears nothing.
	window.addEventListener("pageshow", ({ persisted }) => persisted && ask());
	// Neither Escape nor anything else that closes a dialog leads back to the page.
	notice.addEventListener("cancel", (event) => event.preventDefault());
	notice.addEventListener("close", show);
	const link = notice.querySelector("a");
	link?.addEventListener("click", (event) => {
		event.preventDefault();
		location.replace(link.href);
	});
	channel.postMessage({ session });
}

function show(): void {
	if (document.hidden) {
		document.addEventListener(
			"visibilitychange",
			() => setTimeout(show, AFTER_RETURN_MS),
			{ once: true },
		);
		return;
	}
	const notice = dialog();
	if (notice && !notice.open) notice.showModal();
}

function dialog(): HTMLDialogElement | null {
	return document.querySelector<HTMLDialogElement>("dialog#other-tab");
}
