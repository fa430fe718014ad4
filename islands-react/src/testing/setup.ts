import "@testing-library/jest-dom/vitest";
import { cleanup, configure } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { openPage, unmountIslands } from "./page";

configure({ reactStrictMode: true });

// Testing Library waits for its own timers, and advances fake ones only if they are Jest's. Vitest's have
// the same interface.
Object.assign(globalThis, { jest: vi });

// jsdom has neither layout nor modal dialogs.
Element.prototype.scrollIntoView = () => {};
window.matchMedia = () =>
	Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
Element.prototype.getClientRects = function rects(this: Element) {
	const boxes = this.closest("[hidden]") === null ? [new DOMRect()] : [];
	return boxes as unknown as DOMRectList;
};
HTMLDialogElement.prototype.showModal = function open(this: HTMLDialogElement) {
	this.open = true;
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
	this.open = false;
};

// React reports attributes that hydration finds different, missing keys and updates outside of `act` by
// console.error only. `mountIsland` sees elements and texts that differ.
beforeEach(() => {
	vi.spyOn(console, "error");
});

// Each test needs a page of its own, because a page keeps state.
beforeEach(openPage);

afterEach(async () => {
	vi.useRealTimers();
	cleanup();
	sessionStorage.clear();
	localStorage.clear();
	delete document.body.dataset.page;
	delete document.body.dataset.islands;
	delete document.body.dataset.items;
	await unmountIslands();
	document.body.innerHTML = "";
	expect(console.error).not.toHaveBeenCalled();
});
