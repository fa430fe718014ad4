/** docs/widget-api.md names a place in this API for each rule. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

const DOCS = join(import.meta.dirname, "../../../docs");
const GUIDE = join(DOCS, "widget-api.md");

// A copy of this folder has no guide beside it.
const skip = !existsSync(GUIDE);

test("every place that the guide names is there", { skip }, () => {
	const guide = readFileSync(GUIDE, "utf8");
	const places = [
		...guide.matchAll(/\[(`?)([^\]`]+)`?\]\((\.\.\/examples\/[^)#]+)/g),
	];
	assert.ok(places.length > 25, `${places.length} places`);
	for (const [, code, name = "", path = ""] of places) {
		const file = join(DOCS, path);
		assert.ok(existsSync(file), path);
		const text = readFileSync(file, "utf8");
		// A constant, function, class or accessor, or a method.
		const definition = new RegExp(
			`(?:(?:const|function|class|get) |^\\t(?:async )?)${name}\\b`,
			"m",
		);
		if (code) assert.ok(definition.test(text), `${path} has no ${name}`);
	}
});
