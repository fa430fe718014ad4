/** The examples of docs/widget-api.openapi.yaml are the samples that test client and sandbox. */
import { readdirSync, readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { expect, test } from "../support/fixtures.ts";

const ROOT = new URL("../../", import.meta.url);
const SAMPLES = new URL("crates/upstream/src/samples/", ROOT);

type Media = { schema: object; examples: Record<string, { value: unknown }> };
type Content = { content?: { "application/json": Media } };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
type Document = {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, Content> };
};

test("every sample is an example in the document and matches its schema", () => {
	const document = parse(
		readFileSync(new URL("docs/widget-api.openapi.yaml", ROOT), "utf8"),
	) as Document;
	const operations = Object.values(document.paths).flatMap((verbs) =>
		Object.values(verbs),
	);
	const bodies = [
		...operations.flatMap(({ requestBody, responses }) => [
			requestBody,
			...Object.values(responses),
		]),
		...Object.values(document.components.responses),
	];
	const shown = new Set<string>();
	for (const { schema, examples } of bodies.flatMap(
		(body) => body?.content?.["application/json"] ?? [],
	)) {
		const ajv = new Ajv2020({ strict: false });
		const validate = ajv.compile({
			...schema,
			components: document.components,
		});
		for (const [name, { value }] of Object.entries(examples)) {
			const sample: unknown = JSON.parse(
				readFileSync(new URL(`${name}.json`, SAMPLES), "utf8"),
			);
			expect(value, name).toEqual(sample);
			expect(
				validate(value),
				`${name}: ${ajv.errorsText(validate.errors)}`,
			).toBe(true);
			shown.add(`${name}.json`);
		}
	}
	expect(readdirSync(SAMPLES).filter((file) => !shown.has(file))).toEqual([]);
});
