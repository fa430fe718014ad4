/** The API on the fake of Pluggy. */
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { placeOf } from "../src/adopt.js";
import { Pluggy } from "../src/pluggy.js";
import { startApi } from "./api.js";
import { CLIENT_ID, FakePluggy } from "./fake-pluggy.js";

const SECRET = { "x-hook-secret": "current" };
const HOUR_MS = 3_600_000;

const fake = await new FakePluggy().start();
// Where the SDK reads the address.
Object.assign(process.env, fake.settings);
after(() => fake.stop());

const env = {
	...fake.settings,
	VINCULA_URL: "https://vincula.example.com/",
	PLUGGY_WEBHOOK_SECRET: "current",
	PLUGGY_WEBHOOK_SECRET_PREVIOUS: "previous",
};

/** @type {Awaited<ReturnType<typeof startApi>>} */
let api;
beforeEach(async () => {
	api = await startApi(env);
});
afterEach(async () => {
	await api.stop();
	fake.items.clear();
	fake.requests = [];
	fake.outage = undefined;
	fake.deletionStatus = 200;
	assert.deepEqual(fake.strays.splice(0), []);
});

/** @param {import("pluggy-sdk").WebhookEvent} event @param {string} id @param {Parameters<FakePluggy["notify"]>[3]} options */
const notify = (event, id, options = {}) =>
	fake.notify(`${api.url}/hooks/pluggy`, event, id, {
		headers: SECRET,
		...options,
	});

/** An item of the client with one account. @param {keyof typeof import("./fake-pluggy.js").STATES} state */
function newItem(state = "updated", more = {}) {
	const item = fake.addItem(api.client.uuid, state, more);
	fake.addAccount(item.id);
	return item;
}

const ROW = {
	bank: "Nubank",
	agency: "0001",
	number: "12345-0",
	name: "Padaria Exemplo Ltda",
};

/** Limits how long a call to Pluggy is repeated. */
function limitPatience(call = 0) {
	const limits = { request: 1_000, call };
	api.app.pluggy = new Pluggy(api.app.settings, api.app.now, limits);
}

test("a bank is linked, from the link to the accounts", async () => {
	const link = api.link();
	assert.deepEqual((await link.validate()).data, {
		client_name: "Padaria Exemplo Ltda",
		client_cpfcnpj: "12.345.678/0001-95",
		customer_id: 4711,
		customer_name: "Contábil Exemplo",
		widget_account_admin_name: null,
		widget_account_admin_cpfcnpj: null,
		widget_type: "new",
		widget_account_bank: null,
		link_id: null,
		client_uuid: api.client.uuid,
	});
	await link.consent();
	assert.deepEqual(await link.rows(), []);
	assert.deepEqual((await link.call("GET", "list-banks")).data, [
		{ code: "601", name: "Itaú" },
		{ code: "619", name: "Itaú Empresas" },
		{ code: "612", name: "Nubank" },
		{ code: "2", name: "Pluggy Bank" },
	]);
	const { data: token } = await link.connectToken();
	assert.equal(token, fake.lastConnectToken.token);
	assert.deepEqual(fake.lastConnectToken.options, {
		clientUserId: api.client.uuid,
		avoidDuplicates: false,
		products: ["ACCOUNTS", "TRANSACTIONS"],
		oauthRedirectUri: "https://vincula.example.com/?of-success",
	});

	const item = newItem("updating");
	assert.equal((await link.success(item.id)).status, 200);
	await api.runJobs();
	assert.deepEqual(await link.rows(), []);
	fake.moveItem(item.id, "updated");
	fake.addAccount(item.id, {
		type: "CREDIT",
		subtype: "CREDIT_CARD",
		number: "xxxx8670",
	});
	assert.equal(await notify("item/updated", item.id), 200);
	await api.runJobs();
	assert.deepEqual(await link.rows(), [ROW]);
	assert.equal(
		(await link.call("POST", "success", { token: link.token })).status,
		200,
	);
});

test("a connect token names no address to return to while the product is on this machine", async () => {
	await api.stop();
	api = await startApi({ ...env, VINCULA_URL: "http://127.0.0.1:3000" });
	assert.equal((await api.link().connectToken()).status, 200);
	assert.equal(fake.lastConnectToken.options.oauthRedirectUri, undefined);
});

test("an item that is made by hand at the fake belongs to the client of the last connect token", async () => {
	const make = async (query = "") => {
		const answer = await fetch(`${fake.url}/fake/items${query}`, {
			method: "POST",
		});
		const body = /** @type {any} */ (await answer.json());
		return { status: answer.status, ...body };
	};
	fake.connectTokens.clear();
	assert.equal((await make()).status, 409);
	const link = api.link();
	await link.connectToken();
	fake.hook = { url: `${api.url}/hooks/pluggy`, secret: "current" };
	assert.equal((await make("?state=none")).status, 400);
	const { status, id, webhook } = await make();
	fake.hook = undefined;
	assert.deepEqual([status, webhook], [201, 200]);
	assert.ok(fake.items.has(id));
	await api.runJobs();
	assert.deepEqual(await link.rows(), [ROW]);
});

test("each connect token is a new one, and the list of banks is read once an hour", async () => {
	const link = api.link();
	const tokens = [await link.connectToken(), await link.connectToken()];
	assert.notEqual(tokens[0]?.data, tokens[1]?.data);
	await link.call("GET", "list-banks");
	await link.call("GET", "list-banks");
	// One for Open Finance, one for test banks.
	assert.equal(fake.count("GET /connectors"), 2);
	api.pass(1.1);
	await link.call("GET", "list-banks");
	assert.equal(fake.count("GET /connectors"), 4);
});

test("test banks are left out where the product does not offer them", async () => {
	await api.stop();
	api = await startApi({ ...env, PLUGGY_INCLUDE_SANDBOX: "false" });
	const { data } = await api.link().call("GET", "list-banks");
	assert.deepEqual(
		data.map((/** @type {{ code: string }} */ { code }) => code),
		["601", "619", "612"],
	);
});

test("webhook and log make one item, in either order and twice", async () => {
	const link = api.link();
	const item = newItem();
	const eventId = randomUUID();
	await notify("item/created", item.id, { eventId });
	await notify("item/created", item.id, { eventId });
	await api.runJobs();
	assert.equal(fake.count("GET /items"), 1);
	assert.equal((await link.success(item.id)).status, 200);
	assert.equal((await link.success(item.id)).status, 200);
	await api.runJobs();
	assert.deepEqual(await link.rows(), [ROW]);
	const { logs } = api.app.database.get("SELECT count(*) AS logs FROM log");
	assert.equal(logs, 1);
});

test("a webhook alone is enough, as after a bank's app took the tab", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	assert.deepEqual(await api.link().rows(), [ROW]);
});

test("an older state that arrives later changes nothing", async () => {
	const item = newItem("updating");
	const older = { ...item };
	fake.moveItem(item.id, "updated");
	await notify("item/updated", item.id);
	await api.runJobs();
	fake.items.set(item.id, older);
	await notify("item/created", item.id);
	await api.runJobs();
	const { status } = api.app.database.get("SELECT status FROM item");
	assert.equal(status, "UPDATED");
});

test("an item has a row once it has accounts", async () => {
	const link = api.link();
	/** @type {[Parameters<typeof newItem>[0], unknown[]][]} */
	const cases = [
		["updating", []],
		["merging", []],
		["updated", [ROW]],
		["partial", [ROW]],
		["waitingInput", []],
		["waitingAction", []],
		["loginError", []],
		["outdated", []],
		["pending", []],
	];
	for (const [state, rows] of cases) {
		const item = newItem(state);
		await notify("item/updated", item.id);
		await api.runJobs();
		assert.deepEqual(await link.rows(), rows, state);
		api.app.database.run("UPDATE item SET state = 'gone'");
	}
});

const isReadAgain = () =>
	api.app.database.get("SELECT 1 FROM job") !== undefined;

test("an item that awaits approval is read again until the day that Pluggy names, or for 15 days", async () => {
	const expiresAt = new Date(api.app.now().getTime() + 3 * 24 * HOUR_MS);
	const userAction = {
		instructions: "",
		type: /** @type {const} */ ("authorize-access"),
		expiresAt,
	};
	const warned = {
		isUpdated: false,
		lastUpdatedAt: null,
		warnings: [{ code: "002", message: "Conta pendente de autorização" }],
	};
	/** @type {[Parameters<typeof newItem>[0], object, number][]} */
	const cases = [
		["pending", { userAction }, 3],
		["pending", {}, 15],
		["partial", { statusDetail: { accounts: warned } }, 15],
	];
	for (const [state, more, days] of cases) {
		const createdAt = api.app.now();
		const item = newItem(state, { ...more, createdAt });
		await notify("item/updated", item.id);
		await api.runJobs();
		api.pass(days * 24 - 1);
		await api.runJobs();
		assert.ok(isReadAgain(), `${state}, ${days} days`);
		api.pass(2);
		await api.runJobs();
		assert.ok(!isReadAgain(), `${state}, ${days} days`);
	}
});

test("an item that waits is read again without a webhook, more rarely as time passes", async () => {
	const item = newItem("updating");
	await api.link().success(item.id);
	await api.runJobs();
	await api.runJobs();
	assert.equal(fake.count("GET /items"), 1);
	fake.moveItem(item.id, "updated");
	api.pass(1 / 1000);
	await api.runJobs();
	assert.equal(fake.count("GET /items"), 2);
	assert.deepEqual(await api.link().rows(), [ROW]);
});

test("an item that has been confirming for a day is read no more", async () => {
	const item = newItem("updating");
	await notify("item/created", item.id);
	await api.runJobs();
	assert.ok(isReadAgain());
	api.pass(25);
	await api.runJobs();
	assert.ok(!isReadAgain());
});

test("an error of Connect names an item that awaits a second person", async () => {
	const item = newItem("pending");
	const link = api.link();
	const data = { message: "USER_AUTHORIZATION_PENDING", item: { id: item.id } };
	await link.log("pluggy-widget-error", data);
	await link.log("pluggy-widget-error", data);
	await link.log("pluggy-widget-error", { ...data, message: "other" });
	await api.runJobs();
	const items = api.app.database.all("SELECT id FROM item");
	assert.deepEqual(items, [{ id: item.id }]);
	const { logs } = api.app.database.get("SELECT count(*) AS logs FROM log");
	assert.equal(logs, 2);
});

test("an id that is no item's is stored only, and never asked for", async () => {
	const link = api.link();
	for (const id of ["../connectors", "", 7, null])
		assert.equal(
			(await link.log("pluggy-widget-success", { item: { id } })).status,
			200,
		);
	assert.equal((await link.log("pluggy-widget-success", null)).status, 200);
	await api.runJobs();
	assert.deepEqual(fake.requests, []);
});

test("an item is its clientUserId's, whoever's link names it", async () => {
	const other = api.newClient("529.982.247-25");
	const item = newItem();
	await api.link("new", {}, other).success(item.id);
	await api.runJobs();
	assert.deepEqual(await api.link("new", {}, other).rows(), []);
	assert.equal(api.alerts.length, 1);
});

test("an item of an unknown client is kept apart, and never deleted", async () => {
	const item = fake.addItem(randomUUID());
	await notify("item/created", item.id);
	await notify("item/updated", item.id);
	await api.runJobs();
	assert.equal(api.alerts.length, 1);
	await api.link().consent();
	await api.link().cancel();
	await api.runJobs();
	assert.ok(fake.items.has(item.id));
});

test("an item that is gone at Pluggy is gone here; an unknown one is ignored", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	fake.items.delete(item.id);
	await notify("item/deleted", item.id);
	await notify("item/deleted", randomUUID());
	await api.runJobs();
	assert.deepEqual(await api.link().rows(), []);
	const items = api.app.database.all("SELECT state FROM item");
	assert.deepEqual(items, [{ state: "gone" }]);
});

test("an empty list of accounts deletes nothing", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	fake.accounts.set(item.id, []);
	fake.moveItem(item.id, "updated");
	await notify("item/updated", item.id);
	await api.runJobs();
	assert.equal(fake.count("GET /accounts"), 2);
	assert.deepEqual(await api.link().rows(), [ROW]);
});

test("a bank that is linked twice keeps the newer item, once it works", async () => {
	const older = newItem("updated", { createdAt: new Date(Date.now() - 9_000) });
	await notify("item/created", older.id);
	await api.runJobs();
	const newer = newItem("updating");
	await notify("item/created", newer.id);
	await api.runJobs();
	assert.ok(fake.items.has(older.id));
	fake.moveItem(newer.id, "updated");
	await notify("item/updated", newer.id);
	await api.runJobs();
	assert.deepEqual([...fake.items.keys()], [newer.id]);
	assert.deepEqual(await api.link().rows(), [ROW]);
});

test("a screen that polls makes no call to Pluggy", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	const before = fake.requests.length;
	const link = api.link();
	for (let poll = 0; poll < 20; poll += 1) await link.rows();
	assert.equal(fake.requests.length, before);
});

test("an update that changed nothing is refused as such, and one that did is not", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	const link = api.link("update", { item: item.id });
	assert.equal((await link.validate()).data.link_id, item.id);
	const update = (/** @type {string} */ id) =>
		link.call("PUT", "update-link-account", { link: id });
	await link.connectToken(item.id);
	assert.equal(fake.lastConnectToken.itemId, item.id);
	assert.equal(fake.lastConnectToken.options.avoidDuplicates, true);
	assert.deepEqual(await update(item.id), {
		status: 409,
		message: "no changes",
		data: null,
	});
	fake.moveItem(item.id, "updated");
	assert.equal((await update(item.id)).status, 200);
	// In doubt there was a change: this one was seen already, but no connect token was made since.
	assert.equal((await update(item.id)).status, 200);

	const other = newItem();
	assert.equal((await update(other.id)).status, 200);
	await api.runJobs();
	assert.deepEqual([...fake.items.keys()], [other.id]);
	assert.equal((await link.validate()).data.link_id, other.id);
});

test("an update of an item that is not there, or another client's, is not found", async () => {
	const item = newItem();
	await notify("item/created", item.id);
	await api.runJobs();
	const link = api.link("update", { item: item.id });
	const foreign = fake.addItem(randomUUID());
	for (const id of [foreign.id, randomUUID(), "../connectors"]) {
		const body = { link: id };
		const answer = await link.call("PUT", "update-link-account", body);
		assert.equal(answer.status, 404, id);
		assert.equal(answer.message, "item not found");
	}
	fake.items.delete(item.id);
	assert.deepEqual(await link.connectToken(item.id), {
		status: 404,
		message: "item not found",
		data: null,
	});
});

test("a cancellation is done here at once, and at Pluggy when it can be", async () => {
	limitPatience();
	const link = api.link();
	await link.consent();
	const items = [newItem(), newItem("pending")];
	for (const { id } of items) await notify("item/created", id);
	await api.runJobs();
	fake.outage = { status: 503, body: { code: 503, message: "down" } };
	assert.equal((await link.cancel()).status, 200);
	assert.deepEqual(await link.rows(), []);
	await api.runJobs();
	assert.equal(fake.items.size, 2);
	api.pass(25);
	await api.runJobs();
	assert.match(api.alerts[0] ?? "", /^delete of item .* failed/);
	fake.outage = undefined;
	fake.deletionStatus = 204;
	fake.items.delete(items[0]?.id ?? "");
	api.pass(1.1);
	await api.runJobs();
	assert.equal(fake.items.size, 0);
	const states = api.app.database.all("SELECT DISTINCT state FROM item");
	assert.deepEqual(states, [{ state: "gone" }]);
	const consents = api.app.database.all(
		"SELECT 1 FROM consent WHERE withdrawn_at IS NULL",
	);
	assert.deepEqual(consents, []);
});

test("after a cancellation the link is refused, but for what the contract says", async () => {
	const link = api.link();
	await link.consent();
	await link.cancel();
	for (const answer of [await link.consent(), await link.connectToken()]) {
		assert.equal(answer.status, 403);
		assert.equal(answer.message, "Integrations cancelled");
	}
	assert.equal((await link.validate()).status, 200);
	assert.equal((await link.cancel()).status, 200);
	const late = newItem();
	assert.equal((await link.success(late.id)).status, 200);
	await api.runJobs();
	assert.equal(fake.items.size, 0);
});

test("a link that is made after a cancellation begins anew", async () => {
	const old = api.link();
	const forgotten = newItem();
	api.pass(1);
	await old.cancel();
	api.pass(1);
	const link = api.link();
	await link.consent();
	api.pass(1);
	const item = newItem("updated", { createdAt: api.app.now() });
	await notify("item/created", forgotten.id);
	await notify("item/created", item.id);
	await api.runJobs();
	assert.deepEqual([...fake.items.keys()], [item.id]);
	// A repetition of the earlier cancellation.
	assert.equal((await old.cancel()).status, 200);
	assert.deepEqual(await link.rows(), [ROW]);
});

test("an expired key is renewed once for all requests", async () => {
	const link = api.link();
	await link.connectToken();
	fake.expireKeys();
	fake.requests = [];
	const answers = await Promise.all(
		Array.from({ length: 5 }, () => link.connectToken()),
	);
	assert.deepEqual(
		new Set(answers.map(({ status }) => status)),
		new Set([200]),
	);
	assert.equal(fake.count("POST /auth"), 1);
});

test("several first requests share one key", async () => {
	const link = api.link();
	await Promise.all([
		link.connectToken(),
		link.connectToken(),
		link.call("GET", "list-banks"),
	]);
	assert.equal(fake.count("POST /auth"), 1);
});

test("credentials that Pluggy refuses are tried once more, and no client sees why", async () => {
	await api.stop();
	api = await startApi({ ...env, PLUGGY_CLIENT_SECRET: "wrong" });
	assert.deepEqual(await api.link().connectToken(), {
		status: 502,
		message: "Pluggy does not answer",
		data: null,
	});
	assert.equal(fake.count("POST /auth"), 2);
});

test("too many requests are repeated after the time that Pluggy names, if a client can wait for it", async () => {
	const link = api.link();
	await link.connectToken();
	fake.limit(1, 1);
	const begin = performance.now();
	assert.equal((await link.connectToken()).status, 200);
	assert.ok(performance.now() - begin > 900);
	// A minute is too long, so a shorter pause is tried.
	fake.limit(1, 60);
	assert.equal((await link.connectToken()).status, 200);
	limitPatience();
	await link.connectToken();
	fake.limit(1, 60);
	assert.equal((await link.connectToken()).status, 502);
});

test("a failure is repeated, also one of a gateway, and a refusal without a status is not", async () => {
	/** @type {[import("./fake-pluggy.js").Answer, number][]} */
	const cases = [
		[{ status: 500, body: { code: 500, message: "Internal error" } }, 2],
		[{ status: 502, body: "<h1>Bad gateway</h1>" }, 2],
		[{ status: 409, body: { codeDescription: "ITEM_USER_ALREADY_EXISTS" } }, 1],
		[{ status: 400, body: { code: 400, codeDescription: "BAD_REQUEST" } }, 1],
	];
	limitPatience(800);
	for (const [answer, times] of cases) {
		fake.outage = answer;
		fake.requests = [];
		assert.equal((await api.link().connectToken()).status, 502);
		assert.equal(fake.count("POST /connect_token"), times, `${answer.status}`);
	}
});

test("a webhook needs the current or previous secret, and our application", async () => {
	const item = newItem();
	const before = { "x-hook-secret": "previous" };
	const wrong = { "x-hook-secret": "other" };
	assert.equal(await notify("item/created", item.id, { headers: wrong }), 401);
	assert.equal(await notify("item/created", item.id, { headers: {} }), 401);
	const clientId = randomUUID();
	assert.equal(await notify("item/created", item.id, { clientId }), 401);
	await api.runJobs();
	assert.deepEqual(fake.requests, []);
	assert.equal(await notify("item/created", item.id, { headers: before }), 200);
	await api.runJobs();
	assert.deepEqual(await api.link().rows(), [ROW]);
});

test("without a secret no webhook is accepted", async () => {
	await api.stop();
	api = await startApi(fake.settings);
	const headers = { "x-hook-secret": "" };
	assert.equal(await notify("item/created", randomUUID(), { headers }), 401);
});

test("a webhook with 400 transactions fits", async () => {
	const transactionIds = Array.from({ length: 400 }, () => randomUUID());
	const answer = await fetch(`${api.url}/hooks/pluggy`, {
		method: "POST",
		headers: SECRET,
		body: JSON.stringify({
			event: "transactions/deleted",
			eventId: randomUUID(),
			clientId: CLIENT_ID,
			itemId: newItem().id,
			transactionIds,
		}),
	});
	assert.equal(answer.status, 200);
});

test("the webhook is registered with its secret", async () => {
	const pluggy = new Pluggy(api.app.settings, api.app.now);
	const url = "https://api.example.com/hooks/pluggy";
	await pluggy.registerHook(url, "current");
	assert.deepEqual(fake.webhooks.at(-1)?.headers, {
		"X-Hook-Secret": "current",
	});
});

test("an item whose own update is six hours late is read again", async () => {
	const nextAutoSyncAt = new Date(api.app.now().getTime() + HOUR_MS);
	const item = newItem("updated", { nextAutoSyncAt });
	await notify("item/created", item.id);
	await api.runJobs();
	fake.requests = [];
	api.pass(6);
	api.app.jobs.lookOut();
	await api.runJobs();
	assert.equal(fake.count("GET /items"), 0);
	api.pass(2);
	api.app.jobs.lookOut();
	await api.runJobs();
	assert.equal(fake.count("GET /items"), 1);
});

test("what has to happen at Pluggy outlives the process, and every item is in the ledger", async () => {
	await api.stop();
	const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
	try {
		const DATABASE = join(folder, "pluggy.db");
		api = await startApi({ ...env, DATABASE });
		const item = newItem();
		await api.link().success(item.id);
		await api.stop();
		api = await startApi({ ...env, DATABASE });
		await api.runJobs();
		assert.deepEqual(await api.link().rows(), [ROW]);
		await api.link().cancel();
		await api.runJobs();
		await notify("item/deleted", item.id);
		await api.runJobs();
		const lines = readFileSync(`${DATABASE}.items.log`, "utf8").split("\n");
		assert.deepEqual(
			lines.map((line) => line.replace(/^\S+ /, "")),
			[`+ ${item.id} ${api.client.uuid}`, `- ${item.id}`, ""],
		);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

const LEAVE = join(import.meta.dirname, "../src/leave.js");

test("the firm's command ends a client, and the API that runs deletes the connections", async () => {
	await api.stop();
	const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
	try {
		const DATABASE = join(folder, "pluggy.db");
		api = await startApi({ ...env, DATABASE });
		const link = api.link();
		await link.consent();
		const items = [newItem(), newItem("updating")];
		for (const { id } of items) await notify("item/created", id);
		const other = fake.addItem(api.newClient("529.982.247-25").uuid);
		await notify("item/created", other.id);
		await api.runJobs();
		api.app.jobs.start();
		const leave = (/** @type {string[]} */ ...options) =>
			spawnSync(process.execPath, [LEAVE, ...options], {
				env: { ...process.env, DATABASE },
				encoding: "utf8",
			});
		const { stdout, stderr } = leave("--cnpj", "12345678000195");
		assert.match(stdout, /: 2\n$/);
		assert.equal(stderr, `database: ${DATABASE}\n`);
		assert.equal((await link.validate()).status, 403);
		// The job is due by the clock of the other process.
		api.pass(1);
		const limit = performance.now() + 20_000;
		while (fake.items.size > 1 && performance.now() < limit) await pause(50);
		assert.deepEqual([...fake.items.keys()], [other.id]);
		const { consents } = api.app.database.get(
			"SELECT count(*) AS consents FROM consent WHERE withdrawn_at IS NULL",
		);
		assert.equal(consents, 0);
		assert.match(leave("--cnpj", "12345678000195").stdout, /: 0\n$/);
		const unknown = leave("--cpf", "111.444.777-35");
		assert.equal(unknown.status, 2);
		assert.match(unknown.stderr, /no client has this document/);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("branch and number are the last two parts of the account's number", () => {
	const bankData = (/** @type {string | null} */ transferNumber) =>
		/** @type {any} */ ({ transferNumber });
	assert.deepEqual(
		[
			placeOf({ bankData: bankData("260/0001/06809695-5"), number: "1" }),
			placeOf({ bankData: bankData(null), number: "0001/12345-X" }),
			placeOf({ bankData: null, number: "12345" }),
		],
		[
			{ agency: "0001", number: "06809695-5" },
			{ agency: "0001", number: "12345-X" },
			{ agency: "", number: "12345" },
		],
	);
});
