/** The calls follow docs/widget-api.openapi.yaml. */
import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { parse } from "yaml";
import { startApi } from "./api.js";
import { FakePluggy } from "./fake-pluggy.js";

const DOCUMENT = join(
	import.meta.dirname,
	"../../../docs/widget-api.openapi.yaml",
);

// A copy of this folder has no document beside it.
const skip = !existsSync(DOCUMENT);

const fake = await new FakePluggy().start();
const api = await startApi(fake.settings);
after(async () => {
	await api.stop();
	await fake.stop();
});

test("accepts the form of every request, also with unknown keys", {
	skip,
}, async () => {
	const link = await api.link();
	let count = 0;
	for (const [path, verbs] of Object.entries(paths()))
		for (const [verb, { requestBody }] of Object.entries(verbs)) {
			const content = requestBody?.content["application/json"];
			for (const { value } of Object.values(content?.examples ?? {})) {
				const name = path.slice(1);
				const body = { ...value, a_later_key: {} };
				const answer = await link.call(verb.toUpperCase(), name, body);
				// Other errors are about the link and the item, which are not the example's.
				assert.notEqual(answer.status, 422, name);
				count += 1;
			}
		}
	assert.ok(count > 7, `${count} examples`);
});

test("returns the fields of the examples", { skip }, async () => {
	const link = await api.link();
	const { data: session } = await link.validate();
	assert.deepEqual(keys(session), keys(response("/validate-token", "post")));
	const { data: banks } = await link.banks();
	assert.deepEqual(keys(banks[0]), keys(response("/list-banks", "get")[0]));
});

/** @returns {Record<string, Record<string, any>>} */
function paths() {
	return parse(readFileSync(DOCUMENT, "utf8")).paths;
}

/** The data in the example of a response. @param {string} path @param {string} verb */
function response(path, verb) {
	const content = paths()[path]?.[verb].responses["200"].content;
	const name = `${path.slice(1)}.response`;
	return content["application/json"].examples[name].value.data;
}

/** @param {object} value */
function keys(value) {
	return Object.keys(value).sort();
}
