import "@testing-library/jest-dom/vitest";
import { cleanup } from "@testing-library/react";
import { afterEach, beforeEach, expect, vi } from "vitest";
import { openPage, unmountIslands } from "./page";
import "./strict";

// jsdom has no layout and no modal dialogs, so it lacks these.
Element.prototype.scrollIntoView = () => {};
window.matchMedia = () =>
	Object.assign(new EventTarget(), { matches: false }) as MediaQueryList;
HTMLDialogElement.prototype.showModal = function open(this: HTMLDialogElement) {
	this.open = true;
};
HTMLDialogElement.prototype.close = function close(this: HTMLDialogElement) {
	this.open = false;
};

// React reports hydration mismatches, missing keys and updates after unmount through console.error only.
beforeEach(() => {
	vi.spyOn(console, "error");
});

// A page that was stopped stays stopped.
beforeEach(openPage);

afterEach(async () => {
	vi.useRealTimers();
	cleanup();
	sessionStorage.clear();
	await unmountIslands();
	document.body.innerHTML = "";
	expect(console.error).not.toHaveBeenCalled();
});
