import { afterEach, expect, test } from "vitest";
import { setNonceOnStyles } from "./nonce";

afterEach(() => void Reflect.deleteProperty(document, "createElement"));

test("new style elements get the page's nonce, and a second call has no effect", () => {
	document.head.innerHTML = '<script nonce="of-the-page" type="none"></script>';
	setNonceOnStyles();
	expect(document.createElement("style").nonce).toBe("of-the-page");
	expect(document.createElement("div").nonce).toBe("");
	const { createElement } = document;
	setNonceOnStyles();
	expect(document.createElement).toBe(createElement);
});
