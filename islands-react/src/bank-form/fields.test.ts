import { expect, test } from "vitest";
// The server's tests run against the same table (src/administrator.rs).
import cases from "../../../src/name_cases.json" with { type: "json" };
import { FIELDS } from "./fields";

test.each(cases)(
	"the server’s table: the name $text has the error $error",
	({ text, error }) => {
		expect(FIELDS.name.check(text) ?? null).toBe(error);
	},
);
