// Writes docs/consent/<sha256>.txt for each current text of the consent screen: the evidence of what
// clients agree to. A test of islands-react fails if one is missing.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { consentTexts, sha256 } from "../islands-react/build.mjs";

const FOLDER = join(import.meta.dirname, "../docs/consent");

mkdirSync(FOLDER, { recursive: true });
for (const [name, text] of Object.entries(await consentTexts())) {
	const file = `${sha256(text)}.txt`;
	const path = join(FOLDER, file);
	const verb = existsSync(path) ? "exists" : "writes";
	console.log(`${verb} docs/consent/${file} (${name})`);
	writeFileSync(path, text);
}
