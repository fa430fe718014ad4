import { beforeEach, expect, test, vi } from "vitest";
import { watchNativeForms } from "./native-form";

/** The number of submissions that the browser would post. */
let posts = 0;

watchNativeForms();
addEventListener("submit", (event) => {
	if (!event.defaultPrevented) posts += 1;
	event.preventDefault();
});

function render(tag: string, attribute = "aria-busy=false"): HTMLButtonElement {
	document.body.innerHTML = `<${tag}><form><button type="submit" ${attribute}>Cancelar</button></form></${tag}>`;
	const [button] = document.getElementsByTagName("button");
	if (!button) throw new Error("no button");
	return button;
}

const isBusy = (button: HTMLButtonElement) =>
	button.getAttribute("aria-busy") === "true";

beforeEach(() => {
	vi.useFakeTimers();
	posts = 0;
});

test("a natively posted form is busy and cannot be posted again for eight seconds", () => {
	const button = render("leptos-island");
	button.click();
	button.click();
	vi.advanceTimersByTime(7999);
	button.click();
	expect([posts, isBusy(button)]).toEqual([1, true]);
	vi.advanceTimersByTime(1);
	expect(isBusy(button)).toBe(false);
	button.click();
	expect(posts).toBe(2);
});

test("a page from the back/forward cache is not busy", () => {
	const button = render("leptos-island");
	button.click();
	window.dispatchEvent(new Event("vincula-resumed"));
	expect(isBusy(button)).toBe(false);
});

test("a hydrated island neither repeats a native post nor is marked as busy here", () => {
	const button = render("leptos-island");
	const submit = vi.fn((event: Event) => event.preventDefault());
	button.click();
	button.form?.addEventListener("submit", submit);
	button.click();
	expect(submit).not.toHaveBeenCalled();
	vi.advanceTimersByTime(8000);
	button.click();
	expect(submit).toHaveBeenCalledOnce();
	expect([posts, isBusy(button)]).toEqual([1, false]);
});

test("leaves a button that its island marks as busy to the island", () => {
	const button = render("leptos-island");
	const submit = vi.fn((event: Event) => event.preventDefault());
	button.form?.addEventListener("submit", submit);
	button.setAttribute("aria-busy", "true");
	button.click();
	expect(submit).toHaveBeenCalledOnce();
});

test("a button without the attribute has none after the post", () => {
	const button = render("leptos-island", "");
	button.click();
	expect(isBusy(button)).toBe(true);
	vi.advanceTimersByTime(8000);
	expect(button).not.toHaveAttribute("aria-busy");
});

test("ignores forms outside islands", () => {
	const button = render("section");
	button.click();
	expect([posts, isBusy(button)]).toEqual([1, false]);
});
