/** Registers this API's webhook at Pluggy, once: `npm run webhook -- https://api.example.com/hooks/pluggy`. */
import { Pluggy } from "./pluggy.js";
import { readSettings } from "./settings.js";

const settings = readSettings();
const [url] = process.argv.slice(2);
const [secret] = settings.hookSecrets;
if (settings.credentials === undefined || secret === undefined || !url) {
	console.error(
		"usage: npm run webhook -- https://…/hooks/pluggy\nIt needs PLUGGY_CLIENT_ID, PLUGGY_CLIENT_SECRET and PLUGGY_WEBHOOK_SECRET (`openssl rand -hex 32`).",
	);
	process.exitCode = 2;
} else {
	const pluggy = new Pluggy(settings, () => new Date());
	const { id } = await pluggy.registerHook(url, secret);
	console.log(`Pluggy will call ${url} (webhook ${id})`);
}
