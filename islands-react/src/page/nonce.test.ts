import { afterEach, expect, test } from "vitest";
import { setNonceOnStyles } from "./nonce";

afterEach(() => void Reflect.deleteProperty(document, "createElement"));

test("new styles have the nonce of the page, and asking for it again wraps nothing twice", () => {
	document.head.innerHTML = '<script nonce="of-the-page" type="none"></script>';
	setNonceOnStyles();
	expect(document.createElement("style").nonce).toBe("of-the-page");
	expect(document.createElement("div").nonce).toBe("");
	const { createElement } = document;
	setNonceOnStyles();
	expect(document.createElement).toBe(createElement);
});
