/** `/`: shows how the validation goes that `begin.ts` has sent, and then its step. It needs no other file. */
import type { Arrival, NoAnswer } from "./arrival";
import type {} from "./begin";
import { notices } from "./messages";
import { createLeaving, type Leaving } from "./navigate";
import { showStep } from "./show-step";
import { createToasts, type Toasts } from "./toast";

const SLOW_AFTER_MS = 8000;
const FONT_AFTER_MS = 100;

/** `font` is the address of the step's font. */
export function startEntry(
	{ first, validate }: NonNullable<Window["vinculaEntry"]>,
	font: string,
): void {
	preloadFont(font);
	const { toast, toastQuietly } = createToasts();
	const ways = { toastQuietly, replace: createLeaving(toast).replace };
	whenParsed(() => {
		const show = createView();
		document
			.getElementById("entry-form")
			?.addEventListener("submit", (event) => {
				event.preventDefault();
				show.waiting();
				// The pressed button is gone.
				show.focusTitle();
				void follow(validate(), show, ways);
			});
		show.waiting();
		void follow(first, show, ways);
	});
}

type Ways = Pick<Toasts, "toastQuietly"> & Pick<Leaving, "replace">;

/** What the entry shows. */
type View = {
	waiting(): void;
	slow(): void;
	failed(why: NoAnswer): void;
	/** So that a screen reader reads the title, after a failure with the reason. */
	focusTitle(): void;
};

function createView(): View {
	const part = (name: string) =>
		document.getElementById(`entry-${name}`) as HTMLElement;
	const [title, waiting, failed] = [
		part("title"),
		part("waiting"),
		part("failed"),
	];
	const [reason, slow] = [part("reason"), part("slow")];
	const openingTitle = document.title;
	part("by-hand").hidden = true;

	const show = (hasFailed: boolean): void => {
		title.textContent =
			(hasFailed ? title.dataset.failed : title.dataset.validating) ?? "";
		title.className = hasFailed ? "step__title" : "visually-hidden";
		if (hasFailed) title.setAttribute("aria-describedby", reason.id);
		else title.removeAttribute("aria-describedby");
		document.title = hasFailed
			? (title.dataset.failedTitle ?? "")
			: openingTitle;
		waiting.hidden = hasFailed;
		failed.hidden = !hasFailed;
		slow.textContent = "";
	};

	return {
		waiting: () => show(false),
		slow: () => {
			slow.textContent = slow.dataset.words ?? "";
		},
		failed: (why) => {
			reason.textContent = reason.dataset[why] ?? "";
			document.documentElement.dataset.validation = "waiting";
			show(true);
		},
		focusTitle: () => title.focus({ preventScroll: true }),
	};
}

/** Shows how a validation goes, and then where it leads. */
async function follow(
	validation: Promise<Arrival | NoAnswer>,
	show: View,
	ways: Ways,
): Promise<void> {
	const timer = setTimeout(show.slow, SLOW_AFTER_MS);
	const arrival = await validation;
	clearTimeout(timer);
	if (typeof arrival === "string") {
		show.failed(arrival);
		show.focusTitle();
		// The title and its reason are announced.
		ways.toastQuietly("error", notices.noReply);
	} else if (arrival.step?.body) showStep(arrival.step, arrival.to);
	else ways.replace(arrival.to, false);
}

/** The step's font: after the validation has been sent, so that it does not compete with it. */
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

/** Runs a task once the document has been parsed: now, if it has. */
function whenParsed(task: () => void): void {
	if (document.readyState === "loading")
		document.addEventListener("DOMContentLoaded", task, { once: true });
	else task();
}
