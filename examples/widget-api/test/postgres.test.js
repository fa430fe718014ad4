/** What is particular to PostgreSQL: rights, locks, and a pool of your own. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import rateLimit from "@fastify/rate-limit";
import Fastify from "fastify";
import pg from "pg";
import { createApp } from "../src/app.js";
import { openDatabase } from "../src/database.js";
import { hashOf } from "../src/links.js";
import { widgetApi } from "../src/server.js";
import { readSettings } from "../src/settings.js";
import { startApi } from "./api.js";
import { skipPostgres, startPostgres } from "./databases.js";
import { FakePluggy } from "./fake-pluggy.js";
import { LinkCalls } from "./link-calls.js";
import { until } from "./until.js";

const SCHEMA = readFileSync(join(import.meta.dirname, "../schema.sql"), "utf8");

const fake = await new FakePluggy().start();
after(() => fake.stop());

describe("on PostgreSQL", { skip: skipPostgres }, () => {
	const newDatabase = startPostgres();
	/** @type {string} */
	let url;
	/** @type {pg.Pool} */
	let pool;
	beforeEach(async () => {
		url = await newDatabase();
		pool = new pg.Pool({ connectionString: url });
	});
	afterEach(async () => {
		await pool.end();
		fake.items.clear();
	});

	test("a role that may create no tables starts, if they exist", async () => {
		await pool.query("CREATE ROLE clerk LOGIN");
		const {
			rows: [{ schema }],
		} = await pool.query("SELECT current_schema() AS schema");
		await pool.query(`GRANT USAGE ON SCHEMA ${schema} TO clerk`);
		const clerk = url.replace("test@", "clerk@");
		await assert.rejects(
			openDatabase(clerk),
			/tables are missing and cannot be created: client, link, consent, item, account, log, application .*permission denied.* Run schema\.sql/,
		);
		await pool.query(SCHEMA);
		await pool.query(
			`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${schema} TO clerk`,
		);
		const database = await openDatabase(clerk);
		assert.deepEqual(await database.all("SELECT * FROM client"), []);
		await database.close();
	});

	test("a table without one of its columns stops the start", async () => {
		await pool.query(SCHEMA);
		await pool.query("ALTER TABLE item DROP COLUMN deleted_at");
		const reason = /table item .* schema.sql: column "deleted_at" does not/;
		await assert.rejects(openDatabase(url), reason);
	});

	test("a schema that does not exist stops the start", async () => {
		const wrong = url.replace(/test_\d+$/, "nowhere");
		await assert.rejects(openDatabase(wrong), /no schema has been selected/);
	});

	test("while the table of clients is locked, items are stored and cancellations succeed", async (t) => {
		const api = await startApi({
			...fake.settings,
			DATABASE_URL: url,
			PLUGGY_WEBHOOK_SECRET: "current",
		});
		t.after(() => api.stop());
		const link = await api.consentedLink();
		const item = fake.addItem(api.client.uuid);
		fake.addAccount(item.id);
		await link.success(item.id);
		await api.settle();
		const locker = await pool.connect();
		try {
			await locker.query("BEGIN; LOCK TABLE client");
			// More than there are connections.
			const failing = Array.from({ length: 12 }, () => link.validate());
			const late = fake.addItem(api.client.uuid);
			assert.equal((await link.success(late.id)).status, 200);
			const hook = `${api.url}/hooks/pluggy`;
			const headers = { "x-hook-secret": "current" };
			const event = "item/created";
			assert.equal(await fake.notify(hook, event, late.id, { headers }), 200);
			assert.equal((await link.rows()).length, 1);
			for (const { status } of await Promise.all(failing))
				assert.equal(status, 500);
			await api.settle();
			// The new item is not known yet; the one that is known is deleted.
			assert.equal((await link.cancel()).status, 500);
			assert.ok(!fake.items.has(item.id));
		} finally {
			await locker.query("ROLLBACK");
			locker.release();
		}
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("it is mounted in another service, as README shows", async (t) => {
		const without = { DATABASE_URL: url };
		assert.throws(
			() => readSettings(without),
			/PLUGGY_CLIENT_SECRET is missing/,
		);
		const settings = readSettings({
			...without,
			...fake.settings,
			PLUGGY_WEBHOOK_SECRET: "current",
		});
		const app = await createApp(settings);
		// With the defaults of Fastify, which convert values, and routes of its own.
		const service = Fastify();
		service.addHook("onClose", () => app.database.close());
		t.after(() => service.close());
		// Its own limit by address, which is Vincula's for all clients.
		await service.register(rateLimit, { max: 1 });
		service.get("/list-accounts", async () => "its own");
		service.addHook("onRequest", async ({ headers }) => {
			const statusCode = Number(headers["x-refuse"] ?? 0);
			if (statusCode > 0) throw Object.assign(new Error("no"), { statusCode });
		});
		await service.register(widgetApi, { app, prefix: "/widget-api" });
		const address = await service.listen({ port: 0 });

		await pool.query("INSERT INTO client VALUES ('c', 'Ana', '1', 1)");
		const link = new LinkCalls(`${address}/widget-api`, "token", {
			uuid: "c",
			document: "1",
		});
		await pool.query(
			"INSERT INTO link (token_hash, client, widget_type, created_at, expires_at) VALUES ($1, 'c', 'new', $2, '2999')",
			[hashOf(link.token), new Date()],
		);
		assert.equal((await link.validate()).data.client_name, "Ana");
		const converted = { customer_id: "4711" };
		assert.equal(
			(await link.call("POST", "authorize-customer", converted)).status,
			403,
		);
		await link.consent({ "x-request-id": "0123456789ab" });
		const { request_id } = await app.database.get("SELECT * FROM consent");
		assert.equal(request_id, "0123456789ab");
		const hook = `${address}/widget-api/hooks/pluggy`;
		const headers = { "x-hook-secret": "current" };
		for (let count = 0; count < 2; count += 1)
			assert.equal(
				await fake.notify(hook, "item/updated", randomUUID(), { headers }),
				200,
			);
		for (const status of [401, 408, 425, 429, 503]) {
			const headers = { "x-refuse": String(status) };
			const answer = await link.call("POST", "log", {}, headers);
			assert.deepEqual(answer, { status, message: "no", data: null });
		}
		const tokens = [];
		for (let count = 0; count < 11; count += 1)
			tokens.push((await link.connectToken()).status);
		assert.deepEqual(tokens, [...Array(10).fill(200), 429]);
		assert.equal((await link.call("GET", "nothing")).message, "No such call");
		const own = await fetch(`${address}/list-accounts`);
		assert.equal(await own.text(), "its own");
		const missing = await fetch(`${address}/nothing`);
		assert.match(await missing.text(), /Route GET:\/nothing not found/);

		await pool.query(
			"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE pid <> pg_backend_pid()",
		);
		await until(async () => (await link.validate()).status === 200);
	});
});
