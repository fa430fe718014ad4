import { describe, expect, test } from "vitest";
import { answerActions, page, putContext } from "../testing/page";
import { startPage } from "./page";

describe("the list that the island needs first", () => {
	function requested(screen: string): unknown[] {
		const calls = answerActions({});
		document.body.dataset.page = screen;
		putContext();
		startPage(page);
		return calls.map(({ action, input }) => [action, input]);
	}

	test("is requested before the island loads", () => {
		expect(requested("bank-form")).toEqual([
			["list_banks", { session: "s-1" }],
		]);
	});

	test("is not requested where the island needs none", () => {
		expect(requested("success")).toEqual([]);
	});
});
