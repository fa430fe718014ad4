/** What holds with and without Pluggy. Its banks are invented here. */
import assert from "node:assert/strict";
import { execFileSync, spawn, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, test } from "node:test";
import Libsql from "libsql";
import { clientByDocument, clientByUuid } from "../src/clients.js";
import { Database } from "../src/database.js";
import { hashOf, revokeLinks } from "../src/links.js";
import { readSettings } from "../src/settings.js";
import { LinkCalls, startApi } from "./api.js";

/** @type {Awaited<ReturnType<typeof startApi>>} */
let api;
beforeEach(async () => {
	api = await startApi();
});
afterEach(() => api.stop());

test("an expired link works for two hours for whoever was at the bank", async () => {
	const link = api.link("new", { hours: 1 });
	api.pass(2);
	const expired = { status: 401, message: "Expired token", data: null };
	assert.deepEqual(await link.validate(), expired);
	const returned = await link.validate({ no_validate: "of-success" });
	assert.equal(returned.status, 200);
	assert.equal((await link.consent()).status, 200);
	api.pass(1.1);
	assert.deepEqual(await link.validate({ no_validate: "of-success" }), expired);
	assert.deepEqual(await link.consent(), expired);
});

test("an unknown link is refused, also on a return from the bank", async () => {
	const link = new LinkCalls(api.url, "unknown", "");
	for (const more of [{}, { no_validate: "of-success" }])
		assert.deepEqual(await link.validate(more), {
			status: 404,
			message: "Token not found",
			data: null,
		});
	const answer = await fetch(`${api.url}/list-accounts`);
	assert.equal(answer.status, 401);
});

test("a revoked or expired link still delivers the id of an item", async () => {
	const link = api.link();
	revokeLinks(api.app, api.client);
	assert.equal((await link.validate()).status, 403);
	assert.equal((await link.connectToken()).status, 403);
	assert.equal((await link.success(randomUUID())).status, 200);
	const expired = api.link("new", { hours: -100 });
	assert.equal((await expired.success(randomUUID())).status, 200);
});

test("a client who is not active can only withdraw, and the id of an item still arrives", async () => {
	const open = api.link();
	const cancel = api.link("cancel");
	const { database } = api.app;
	database.run("UPDATE client SET is_active = 0");
	const refusal = { status: 403, message: "Client not active", data: null };
	assert.deepEqual(await open.validate(), refusal);
	assert.deepEqual(await open.consent(), refusal);
	assert.deepEqual(await open.connectToken(), refusal);
	assert.deepEqual(await cancel.consent(), refusal);
	assert.equal((await cancel.validate()).status, 200);
	assert.deepEqual(await open.rows(), []);
	assert.equal((await open.success(randomUUID())).status, 200);
	await api.runJobs();
	const items = database.all("SELECT client, state FROM item");
	assert.deepEqual(items, [{ client: api.client.uuid, state: "gone" }]);
	assert.deepEqual(api.alerts, []);
	assert.equal((await open.cancel()).status, 200);
	const inactive = clientByUuid(database, api.client.uuid);
	assert.throws(() => api.link("new", {}, inactive), /not active/);
	assert.equal((await api.link("cancel", {}, inactive).validate()).status, 200);
});

test("ids and documents of others are refused", async () => {
	const link = api.link();
	/** @type {[string, object][]} */
	const cases = [
		["authorize-customer", { customer_id: 4712 }],
		["authorize-customer", { customer_id: "4711" }],
		["connect-token", { link_id: null, client_uuid: randomUUID() }],
		["connect-token", { link_id: null, client_uuid: null }],
		["connect-token", { link_id: randomUUID(), client_uuid: api.client.uuid }],
		["success", { token: api.link().token }],
		["cancel-integrations", { cpfcnpj: "529.982.247-25" }],
	];
	for (const [path, body] of cases)
		assert.equal((await link.call("POST", path, body)).status, 403, path);
});

test("a body of another shape, a wrong method and an unknown path are refused in the envelope", async () => {
	const link = api.link();
	/** @type {[string, string, unknown, number][]} */
	const cases = [
		["POST", "authorize-customer", { customer_id: null }, 422],
		["POST", "authorize-customer", { customer_id: 4711, more: 1 }, 422],
		["POST", "authorize-customer", [], 422],
		["POST", "validate-token", { token: link.token, no_validate: "x" }, 422],
		["POST", "log", { type: "x", status: "SUCCESS", data_log: "{}" }, 422],
		["PUT", "update-link-account", { link: "x".repeat(129) }, 422],
		["POST", "list-accounts", undefined, 405],
		["GET", "log", undefined, 405],
		["GET", "nothing", undefined, 400],
		["POST", "success", { token: "x".repeat(65_536) }, 413],
	];
	for (const [method, path, body, status] of cases)
		assert.equal((await link.call(method, path, body)).status, status, path);
});

test("a header that is not well-formed is refused", async () => {
	const link = api.link();
	const wrong = {
		"consent-client-address": "192.0.2",
		"consent-text-version": "3cbc9b40",
	};
	for (const [name, value] of Object.entries(wrong)) {
		const headers = { [name]: value };
		assert.equal((await link.consent(headers)).status, 422);
	}
});

test("a consent is stored once for each link, with its evidence", async () => {
	const link = api.link();
	const evidence = {
		"consent-text-version": "1",
		"consent-client-address": "192.0.2.1",
	};
	await link.consent({ ...evidence, "x-request-id": "0123456789ab" });
	await link.consent();
	await api.link().consent();
	const consents = api.app.database.all(
		"SELECT evidence, request_id FROM consent ORDER BY id",
	);
	assert.deepEqual(
		consents.map((row) => [JSON.parse(row.evidence), row.request_id]),
		[
			[evidence, "0123456789ab"],
			[{}, null],
		],
	);
});

test("no token is in the tables", async () => {
	const link = api.link();
	await link.consent();
	await link.call("POST", "success", { token: link.token });
	const { database } = api.app;
	const tables = database.all(
		"SELECT name FROM sqlite_master WHERE type = 'table'",
	);
	const rows = tables.map(({ name }) => database.all(`SELECT * FROM ${name}`));
	const all = JSON.stringify(rows);
	assert.ok(all.includes(hashOf(link.token)));
	assert.ok(!all.includes(link.token));
});

test("the first success is the link's end, which goes on working", async () => {
	const link = api.link();
	const done = () => api.app.database.get("SELECT done_at FROM link").done_at;
	await link.call("POST", "success", { token: link.token });
	const first = done();
	api.pass(1);
	await link.call("POST", "success", { token: link.token });
	assert.equal(done(), first);
	assert.equal((await link.connectToken()).status, 200);
});

test("an invented item has a row once it is approved and confirmed, until it is cancelled", async () => {
	const link = api.link();
	const id = randomUUID();
	await link.log("pluggy-widget-error", {
		message: "INVALID_CREDENTIALS",
		item: { id: randomUUID() },
	});
	await api.runJobs();
	assert.deepEqual(await link.rows(), []);
	await link.log("pluggy-widget-error", {
		message: "USER_AUTHORIZATION_PENDING",
		item: { id },
	});
	await api.runJobs();
	assert.deepEqual(await link.rows(), []);
	await link.success(id);
	await api.runJobs();
	assert.deepEqual(await link.rows(), []);
	api.pass(0.001);
	await api.runJobs();
	assert.deepEqual(await link.rows(), [
		{
			bank: "Banco do Brasil",
			agency: "0001",
			number: "000001-0",
			name: "Padaria Exemplo Ltda",
		},
	]);
	await link.cancel();
	assert.deepEqual(await link.rows(), []);
});

test("only the database of the invented banks is emptied at the start, and no file that is named", () => {
	const pluggy = { PLUGGY_CLIENT_ID: "x", PLUGGY_CLIENT_SECRET: "x" };
	const isDisposable = [
		{},
		{ DATABASE: ":memory:" },
		{ DATABASE: "firm.db" },
		pluggy,
	].map((env) => readSettings(env).isDisposable);
	assert.deepEqual(isDisposable, [true, true, false, false]);
});

const MAIN = join(import.meta.dirname, "../src/main.js");

test("only a disposable database gets invented clients", async () => {
	const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
	const DATABASE = join(folder, "firm.db");
	const start = async (
		/** @type {string} */ path,
		/** @type {RegExp} */ ready,
	) => {
		const env = { ...process.env, PORT: "0", DATABASE: path };
		const child = spawn(process.execPath, [MAIN], {
			env,
			stdio: ["ignore", "pipe", "inherit"],
		});
		let output = "";
		for await (const chunk of child.stdout) {
			output += chunk;
			if (ready.test(output)) child.kill();
		}
		return output;
	};
	try {
		assert.match(await start(":memory:", /expired/), /new +\/\?token=/);
		assert.doesNotMatch(await start(DATABASE, /npm run link/), /token=/);
		const database = new Database(DATABASE);
		assert.deepEqual(database.all("SELECT * FROM client"), []);
		database.close();
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("a table of another program with one of our names stops the start", () => {
	const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
	try {
		const path = join(folder, "firm.db");
		const firm = new Libsql(path);
		firm.exec("CREATE TABLE account (number TEXT)");
		firm.close();
		assert.throws(() => new Database(path), /the table account has no column/);
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("one half of the credentials stops the start", () => {
	assert.throws(
		() => readSettings({ PLUGGY_CLIENT_ID: "x" }),
		/one of them is missing/,
	);
});

const SCRIPT = join(import.meta.dirname, "../src/link.js");

test("the command makes a link of each kind for a client, old or new", () => {
	const folder = mkdtempSync(join(tmpdir(), "widget-api-"));
	try {
		const env = {
			...process.env,
			DATABASE: join(folder, "pretend.db"),
			VINCULA_URL: "https://vincula.example.com",
		};
		const link = (/** @type {string[]} */ ...options) =>
			execFileSync(
				process.execPath,
				[SCRIPT, "--cnpj", "12345678000195", ...options],
				{ env, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] },
			);
		assert.match(
			link("--client", "Padaria"),
			/^https:\/\/vincula\.example\.com\/\?token=[\w-]{43}\n$/,
		);
		link("--type", "cancel", "--days", "1");
		assert.throws(() => link("--type", "update"), /\(none\)/);
		const database = new Database(env.DATABASE);
		const client = clientByDocument(database, "12.345.678/0001-95");
		assert.equal(client?.name, "Padaria");
		const item = randomUUID();
		database.run(
			`INSERT INTO item (id, client, bank, status, execution_status, created_at, updated_at, state)
			VALUES (?, ?, 'Nubank', 'UPDATED', 'SUCCESS', '', '', 'active')`,
			item,
			client?.uuid,
		);
		link("--type", "update", "--replace");
		const links = database.all(
			"SELECT widget_type, item, revoked_at IS NULL AS works FROM link ORDER BY created_at",
		);
		assert.deepEqual(links, [
			{ widget_type: "new", item: null, works: 0 },
			{ widget_type: "cancel", item: null, works: 0 },
			{ widget_type: "update", item, works: 1 },
		]);
		database.close();
	} finally {
		rmSync(folder, { recursive: true });
	}
});

test("the command refuses what is missing or no document, and says how it is used", () => {
	/** @type {[string[], RegExp][]} */
	const cases = [
		[["--cnpj", "12345678000195"], /--client is missing/],
		[["--client", "Ana"], /--cnpj or --cpf is missing/],
		[["--client", "Ana", "--cpf", "123"], /too short/],
		[["--client", "Ana", "--cpf", "52998224725", "--type", "x"], /none of new/],
		[["--client", "Ana", "--cpf", "52998224725", "--days", "x"], /no number/],
	];
	for (const [options, reason] of cases) {
		const { status, stderr } = spawnSync(
			process.execPath,
			[SCRIPT, ...options],
			{ encoding: "utf8", env: { ...process.env, DATABASE: ":memory:" } },
		);
		assert.equal(status, 2);
		assert.match(stderr, reason);
		assert.match(stderr, /usage: /);
	}
});
