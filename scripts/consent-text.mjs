// Writes docs/consent/<sha256>.txt for each text of the consent screen that is not there yet: the evidence of what clients
// agree to. islands-react's test of these files fails until it has run.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consentTexts, sha256 } from "../islands-react/build.mjs";

const FOLDER = join(import.meta.dirname, "../docs/consent");

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(await consentTexts())) {
	const file = join(FOLDER, `${sha256(text)}.txt`);
	console.log(
		`${existsSync(file) ? "there " : "writes"} docs/consent/${sha256(text)}.txt (${name})`,
	);
	writeFileSync(file, text);
}
