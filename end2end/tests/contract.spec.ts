/** The examples of docs/widget-api.openapi.yaml match its schemas. */
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { expect, test } from "../support/fixtures.ts";

const DOCUMENT = new URL("../../docs/widget-api.openapi.yaml", import.meta.url);

type Media = { schema: object; examples: Record<string, { value: unknown }> };
type Content = { content?: { "application/json": Media } };
type Operation = { requestBody?: Content; responses: Record<string, Content> };
type Document = {
	paths: Record<string, Record<string, Operation>>;
	components: { responses: Record<string, Content> };
};

test("every example matches its schema", () => {
	const document = parse(readFileSync(DOCUMENT, "utf8")) as Document;
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
	let count = 0;
	for (const { schema, examples } of bodies.flatMap(
		(body) => body?.content?.["application/json"] ?? [],
	)) {
		const ajv = new Ajv2020({ strict: false });
		const validate = ajv.compile({
			...schema,
			components: document.components,
		});
		for (const [name, { value }] of Object.entries(examples)) {
			count += 1;
			expect(
				validate(value),
				`${name}: ${ajv.errorsText(validate.errors)}`,
			).toBe(true);
		}
	}
	expect(count).toBeGreaterThan(20);
});
