/**
 * The entry (`/`): shows the progress of the validation that `begin.ts` has requested, and then the
 * page that the link leads to. Until then it needs no other file.
 */
import type { Arrival, RetryReason } from "./arrival";
import type {} from "./begin";
import { replace } from "./navigate";
import { showStep } from "./show-step";
import { createToast, type Toast } from "./toast";

const SLOW_AFTER_MS = 8000;
const FONT_AFTER_MS = 100;
/**
 * How long a retry shows the spinner before a failure. A shorter one would look as if the press had no
 * effect, and screen readers would read the title of one state with the reason of the other.
 */
const RETRY_MS = 500;

/** Starts the entry. `font` is the URL of the step's font. */
export function startEntry(
	{ first, validate }: NonNullable<Window["vinculaEntry"]>,
	font: string,
): void {
	preloadFont(font);
	const toast = createToast();
	whenParsed(() => {
		const view = createView();
		const form = document.getElementById("entry-form");
		form?.addEventListener("submit", (event) => {
			event.preventDefault();
			view.waiting();
			// The pressed button is hidden.
			view.focusTitle();
			const validation = failingAfter(RETRY_MS, validate());
			// The title has the focus already, so focusing it again would announce nothing.
			void follow(validation, view, view.focusRetry, toast);
		});
		view.waiting();
		void follow(first, view, view.focusTitle, toast);
	});
}

/** What the entry shows. */
type View = {
	waiting(): void;
	slow(): void;
	failed(why: RetryReason): void;
	/** Makes screen readers read the title and, after a failure, its reason. */
	focusTitle(): void;
	/** Makes screen readers read the button that retries, and the reason for the failure. */
	focusRetry(): void;
};

function createView(): View {
	const part = (name: string) =>
		document.getElementById(`entry-${name}`) as HTMLElement;
	const title = part("title");
	const waiting = part("waiting");
	const slow = part("slow");
	const failed = part("failed");
	const reason = part("reason");
	const retry = failed.querySelector("button");
	const openingTitle = document.title;
	part("by-hand").hidden = true;

	const show = (shown: HTMLElement): void => {
		waiting.hidden = shown !== waiting;
		failed.hidden = shown !== failed;
		slow.textContent = "";
	};

	return {
		waiting() {
			document.title = openingTitle;
			title.textContent = title.dataset.validating ?? "";
			title.className = "visually-hidden";
			title.removeAttribute("aria-describedby");
			show(waiting);
		},
		slow() {
			slow.textContent = slow.dataset.words ?? "";
		},
		failed(why) {
			document.documentElement.dataset.validation = "waiting";
			document.title = title.dataset.failedTitle ?? "";
			title.textContent = title.dataset.failed ?? "";
			title.className = "step__title";
			title.setAttribute("aria-describedby", reason.id);
			reason.textContent = reason.dataset[why] ?? "";
			show(failed);
		},
		focusTitle() {
			title.focus({ preventScroll: true });
		},
		focusRetry() {
			retry?.setAttribute("aria-describedby", reason.id);
			retry?.focus();
		},
	};
}

/**
 * Shows the progress of a validation, and then its step or the reason for its failure. `focusFailure`
 * announces the reason.
 */
async function follow(
	validation: Promise<Arrival | RetryReason>,
	view: View,
	focusFailure: () => void,
	toast: Toast,
): Promise<void> {
	const timer = setTimeout(view.slow, SLOW_AFTER_MS);
	const arrival = await validation;
	clearTimeout(timer);
	if (typeof arrival === "string") {
		view.failed(arrival);
		focusFailure();
		toast.show();
	} else if (arrival.step?.body) {
		showStep(arrival.step, arrival.to);
	} else {
		// An error screen, or a page that the entry cannot show.
		void replace(arrival.to);
	}
}

/** Delays a failed validation until some milliseconds have passed since the call. */
async function failingAfter(
	ms: number,
	validation: Promise<Arrival | RetryReason>,
): Promise<Arrival | RetryReason> {
	const passed = new Promise((resolve) => setTimeout(resolve, ms));
	const arrival = await validation;
	if (typeof arrival === "string") await passed;
	return arrival;
}

/** Preloads the step's font, after a delay, so that it does not compete with the validation. */
function preloadFont(href: string): void {
	setTimeout(() => {
		const link = document.createElement("link");
		Object.assign(link, {
			rel: "preload",
			as: "font",
			type: "font/woff2",
			crossOrigin: "anonymous",
			href,
		});
		document.head.append(link);
	}, FONT_AFTER_MS);
}

/** Runs a task once the document has been parsed, or immediately if it already is. */
function whenParsed(task: () => void): void {
	if (document.readyState === "loading")
		document.addEventListener("DOMContentLoaded", task, { once: true });
	else task();
}
