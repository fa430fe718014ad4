/** How the database and the fake of Pluggy come to agree. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { deleteUnused, erase, existingItems, leave } from "../src/ending.js";
import { revokeLinks } from "../src/links.js";
import { placeOf } from "../src/pluggy.js";
import { taskOf } from "../src/tasks.js";
import { startApi } from "./api.js";
import { skipPostgres, startPostgres } from "./databases.js";
import { FakePluggy } from "./fake-pluggy.js";
import { until } from "./until.js";

const HOUR_MS = 3_600_000;
const DAY_HOURS = 24;

const fake = await new FakePluggy().start();
after(() => fake.stop());

const env = {
	...fake.settings,
	VINCULA_URL: "https://vincula.example.com/",
	PLUGGY_WEBHOOK_SECRET: "current",
};

describe("on SQLite", () => suite(async () => ":memory:"));
describe("on PostgreSQL", { skip: skipPostgres }, () => suite(startPostgres()));

const ROW = {
	bank: "Nubank",
	agency: "0001",
	number: "12345-0",
	name: "Padaria Exemplo Ltda",
};

/** @param {() => Promise<string>} newDatabase */
function suite(newDatabase) {
	/** @type {import("./api.js").Api} */
	let api;
	beforeEach(async () => {
		const DATABASE_URL = await newDatabase();
		// A failure is not repeated within a call.
		const limits = { perSecond: 1_000, request: 60_000, call: 0 };
		api = await startApi({ ...env, DATABASE_URL }, { limits });
	});
	afterEach(async () => {
		fake.outage = undefined;
		await api.stop();
		fake.items.clear();
		fake.requests = [];
		fake.deletionStatus = 200;
		assert.deepEqual(fake.strays.splice(0), []);
	});

	/** @param {string} id @param {Parameters<FakePluggy["notify"]>[3]} options */
	async function notify(id, options = {}) {
		const status = await fake.notify(
			`${api.url}/hooks/pluggy`,
			"item/updated",
			id,
			{ headers: { "x-hook-secret": "current" }, ...options },
		);
		await api.settle();
		return status;
	}

	/** An item of the client with one account. @param {keyof typeof import("./fake-pluggy.js").STATES} state */
	function newItem(state = "updated", more = {}, account = {}) {
		const item = fake.addItem(api.client.uuid, state, more);
		fake.addAccount(item.id, account);
		return item;
	}

	/** A link through which the item was linked. @param {string} id */
	async function linkedBy(id) {
		const link = await api.consentedLink();
		assert.equal((await link.success(id)).status, 200);
		await api.settle();
		return link;
	}

	const outage = { status: 503, body: { code: 503, message: "down" } };

	test("a bank is linked, from the link to the accounts", async () => {
		const link = await api.link();
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
		assert.deepEqual((await link.banks()).data, [
			{ code: "619", name: "Itaú Empresas" },
			{ code: "2", name: "Pluggy Bank" },
		]);
		const { data: token } = await link.connectToken();
		assert.equal(token, fake.lastConnectToken.token);
		assert.deepEqual(fake.lastConnectToken.options, {
			clientUserId: api.client.uuid,
			oauthRedirectUri: "https://vincula.example.com/?of-success",
		});

		const item = newItem("updating");
		assert.equal((await link.success(item.id)).status, 200);
		await api.settle();
		assert.deepEqual(await link.rows(), []);
		fake.moveItem(item.id, "updated");
		fake.addAccount(item.id, { type: "CREDIT", number: "xxxx8670" });
		assert.equal(await notify(item.id), 200);
		assert.deepEqual(await link.rows(), [ROW]);
		const body = { token: link.token };
		assert.equal((await link.call("POST", "success", body)).status, 200);
		assert.deepEqual(api.linesOf(item.id), [
			"UPDATING/ACCOUNTS_IN_PROGRESS",
			"UPDATED/SUCCESS: 1 of 2 accounts are listed",
		]);
	});

	test("webhook and log make one item, in either order and twice", async () => {
		const first = newItem();
		const eventId = randomUUID();
		const link = await api.consentedLink();
		await notify(first.id, { eventId });
		await notify(first.id, { eventId });
		await link.success(first.id);
		await link.success(first.id.toUpperCase());
		await api.settle();
		assert.deepEqual(await link.rows(), [ROW]);
		const { items } = await api.app.database.get(
			"SELECT CAST(count(*) AS INTEGER) AS items FROM item",
		);
		assert.equal(items, 1);
	});

	test("calls for one item at the same time share a run", async () => {
		const item = newItem();
		const link = await api.consentedLink();
		const link2 = await api.consentedLink();
		const release = new AbortController();
		fake.onRequest = async () => {
			if (!release.signal.aborted) await once(release.signal, "abort");
		};
		const hook = `${api.url}/hooks/pluggy`;
		const headers = { "x-hook-secret": "current" };
		for (let count = 0; count < 8; count += 1)
			await fake.notify(hook, "item/updated", item.id, { headers });
		for (const one of [link, link2])
			for (let count = 0; count < 4; count += 1) await one.success(item.id);
		release.abort();
		await api.settle();
		fake.onRequest = async () => {};
		// One that was running, and one afterwards: for the webhooks, and for the logs.
		assert.equal(fake.count("GET /items"), 4);
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a webhook alone is enough, as after a bank's app took the tab", async () => {
		const link = await api.consentedLink();
		await notify(newItem().id);
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a webhook that is cut off by an outage is made up for by the sweep", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		fake.moveItem(item.id, "updated");
		fake.addAccount(item.id, { number: "1", bankData: null });
		fake.outage = outage;
		assert.equal(await notify(item.id), 200);
		assert.equal((await link.rows()).length, 1);
		fake.outage = undefined;
		await api.sweep();
		assert.equal((await link.rows()).length, 2);
	});

	test("an older state that arrives later changes nothing", async () => {
		const item = newItem("updating");
		const older = { ...item };
		fake.moveItem(item.id, "updated");
		const link = await linkedBy(item.id);
		fake.items.set(item.id, older);
		await notify(item.id);
		const { status } = await api.app.database.get("SELECT status FROM item");
		assert.equal(status, "UPDATED");
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("only an item that was updated has rows", async () => {
		/** @type {[Parameters<typeof newItem>[0], number][]} */
		const cases = [
			["updating", 0],
			["merging", 0],
			["updated", 1],
			["partial", 1],
			["waitingInput", 0],
			["waitingAction", 0],
			["loginError", 0],
			["outdated", 0],
			["pending", 0],
			["unknown", 0],
		];
		for (const [state, rows] of cases) {
			const item = newItem(state);
			const link = await linkedBy(item.id);
			assert.equal((await link.rows()).length, rows, state);
			assert.equal(api.linesOf(item.id).length, 1, state);
			await api.settle();
			await api.app.database.run("UPDATE item SET gone_at = ''");
		}
	});

	test("a connection that stops working keeps its rows, and is logged as one that needs an update link", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		fake.moveItem(item.id, "loginError");
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
		const line = api.lines.findLast((one) => one.item === item.id);
		assert.equal(line.msg, "LOGIN_ERROR/INVALID_CREDENTIALS");
		assert.equal(line.level, 40);
	});

	test("an item that waits is read again, whatever it waits for", async () => {
		/** @type {Parameters<typeof newItem>[0][]} */
		const states = ["updating", "waitingInput", "waitingAction", "unknown"];
		for (const state of states) {
			const item = newItem(state);
			const link = await linkedBy(item.id);
			fake.moveItem(item.id, "updated");
			fake.requests = [];
			await link.rows();
			await api.settle();
			assert.equal(fake.count("GET /items"), 0, state);
			api.pass(6 / 3_600);
			await link.rows();
			await api.settle();
			assert.equal((await link.rows()).length, 1, state);
			await api.app.database.run("DELETE FROM account");
			await api.app.database.run("UPDATE item SET gone_at = ''");
		}
	});

	test("while its client looks, an old item that waits is read every 5 s", async () => {
		const link = await linkedBy(newItem("updating").id);
		api.pass(1);
		fake.requests = [];
		for (const seconds of [0, 4, 2]) {
			api.pass(seconds / 3_600);
			await link.rows();
			await api.settle();
		}
		assert.equal(fake.count("GET /items"), 2);
		// A clock that was set back does not stop this.
		api.pass(-0.5);
		await link.rows();
		await api.settle();
		assert.equal(fake.count("GET /items"), 3);
	});

	test("an item that another process names while it is read is read again", async () => {
		const item = newItem();
		const link = await api.consentedLink();
		fake.onRequest = async (name) => {
			if (name === "GET /accounts")
				await api.app.database.run("UPDATE item SET asked = asked + 1");
		};
		await link.success(item.id);
		await api.settle();
		fake.onRequest = async () => {};
		fake.requests = [];
		await api.sweep();
		await api.sweep();
		assert.equal(fake.count("GET /items"), 1);
	});

	test("the sweep reads an item that waits, more rarely as time passes", async () => {
		await linkedBy(newItem("updating").id);
		const sweeps = async (/** @type {number} */ minutes) => {
			fake.requests = [];
			for (let minute = 0; minute < minutes; minute += 1) {
				api.pass(1 / 60);
				await api.sweep();
			}
			return fake.count("GET /items");
		};
		assert.equal(await sweeps(4), 4);
		assert.ok((await sweeps(60)) < 15);
		api.pass(DAY_HOURS);
		assert.equal(await sweeps(10), 0);
	});

	test("sweeps at the same time share a run, and log their failure without its data", async () => {
		const { database, items } = api.app;
		const { app } = items;
		await linkedBy(newItem("updating").id);
		api.pass(1);
		fake.requests = [];
		await Promise.all([api.sweep(), api.sweep(), api.sweep()]);
		assert.equal(fake.count("GET /items"), 1);
		const all = async () => {
			throw Object.assign(new Error("broken"), { detail: "personal" });
		};
		items.app = { ...app, database: { ...database, all } };
		await api.sweep();
		items.app = app;
		const { level, msg } = api.lines.at(-1);
		assert.equal(level, 50);
		assert.match(msg, /broken/);
		assert.doesNotMatch(JSON.stringify(api.lines), /personal/);
		await api.sweep();
	});

	test("an item that awaits approval is read until the day that Pluggy names, or for 15 days", async () => {
		const expiresAt = new Date(api.app.now().getTime() + 3 * 24 * HOUR_MS);
		const userAction = {
			instructions: "",
			type: "authorize-access",
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
			["pending", { hasResourcesPendingAuthorization: true }, 15],
			["partial", { statusDetail: { accounts: warned } }, 15],
		];
		const isRead = async () => {
			fake.requests = [];
			await api.sweep();
			return fake.count("GET /items") === 1;
		};
		for (const [state, more, days] of cases) {
			await linkedBy(newItem(state, more).id);
			api.pass(days * 24 - 1);
			assert.ok(await isRead(), `${state}, ${days} days`);
			api.pass(2);
			assert.ok(!(await isRead()), `${state}, ${days} days`);
			await api.app.database.run("UPDATE item SET gone_at = ''");
		}
	});

	test("an error of Connect names an item that awaits a second person", async () => {
		const item = newItem("pending");
		const link = await api.consentedLink();
		const data = { message: "USER_AUTHORIZATION_PENDING", item };
		await link.log("pluggy-widget-error", data);
		await link.log("pluggy-widget-error", data);
		await link.log("pluggy-widget-error", { ...data, message: "other" });
		const { logs } = await api.app.database.get(
			"SELECT CAST(count(*) AS INTEGER) AS logs FROM log",
		);
		assert.equal(logs, 2);
		await api.settle();
		fake.moveItem(item.id, "updated");
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("an id that is no item's is stored only, and never asked for", async () => {
		const link = await api.consentedLink();
		for (const id of ["../connectors", "", 7, null, { toString: 1 }])
			assert.equal(
				(await link.log("pluggy-widget-success", { item: { id } })).status,
				200,
			);
		assert.equal((await link.log("pluggy-widget-success", null)).status, 200);
		await api.settle();
		await api.sweep();
		assert.deepEqual(fake.requests, []);
	});

	test("an item is its clientUserId's, whoever's link names it", async () => {
		const other = await api.newClient("529.982.247-25");
		const item = newItem();
		const link = await api.consentedLink();
		const foreign = await api.consentedLink(other);
		await foreign.success(item.id);
		await api.settle();
		assert.deepEqual(await foreign.rows(), []);
		assert.deepEqual(await link.rows(), [ROW]);
		// Nor can another client's cancellation delete it.
		assert.equal((await foreign.cancel()).status, 200);
		assert.ok(fake.items.has(item.id));
	});

	test("a link that names another client's item cannot delete it by a cancellation", async () => {
		const other = await api.newClient("529.982.247-25");
		const item = newItem();
		await api.consentedLink();
		const foreign = await api.consentedLink(other);
		fake.outage = outage;
		await foreign.success(item.id);
		await api.settle();
		fake.outage = undefined;
		await foreign.cancel();
		await api.sweep();
		assert.ok(fake.items.has(item.id));
	});

	test("an item without clientUserId is the client's whose link named it first", async () => {
		const other = await api.newClient("529.982.247-25");
		const foreign = await api.consentedLink(other);
		const link = await api.consentedLink();
		// The webhook does not say whose it is.
		const item = fake.addItem(null);
		fake.addAccount(item.id);
		await notify(item.id);
		assert.match(
			api.linesOf(item.id).at(-1) ?? "",
			/of no client, kept apart$/,
		);
		for (const one of [link, foreign]) await one.success(item.id);
		await api.settle();
		assert.deepEqual(await link.rows(), [ROW]);
		assert.deepEqual(await foreign.rows(), []);
		assert.equal((await foreign.cancel()).status, 200);
		assert.ok(fake.items.has(item.id));
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("an item of an unknown client, or without consent, is kept apart and never deleted", async () => {
		const unknown = fake.addItem(randomUUID());
		const item = newItem();
		for (const { id } of [unknown, item]) {
			await notify(id);
			await notify(id);
			const [line, ...more] = api.lines.filter(({ item }) => item === id);
			assert.match(line.msg, /^UPDATED.* kept apart$/);
			assert.equal(line.level, 40);
			assert.deepEqual(more, []);
		}
		const link = await api.link();
		assert.deepEqual(await link.rows(), []);
		await api.sweep();
		assert.equal(fake.items.size, 2);
		// The client of the one may end it.
		assert.equal((await link.cancel()).status, 200);
		assert.deepEqual([...fake.items.keys()], [unknown.id]);
	});

	test("an item that is gone at Pluggy is gone here, until Pluggy has it again", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		const accounts = fake.accounts.get(item.id) ?? [];
		fake.items.delete(item.id);
		await notify(item.id);
		await notify(randomUUID());
		assert.deepEqual(await link.rows(), []);
		assert.equal(api.linesOf(item.id).at(-1), "gone at Pluggy");
		const items = await api.app.database.all("SELECT id FROM item");
		assert.deepEqual(items, [{ id: item.id }]);
		// It was a mistake of Pluggy. The sweep finds out without a webhook.
		fake.items.set(item.id, item);
		fake.accounts.set(item.id, accounts);
		api.pass(1);
		await api.sweep();
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a connection that is gone is a warning and a task, until its client links a bank again", async () => {
		const item = newItem();
		await linkedBy(item.id);
		fake.items.delete(item.id);
		api.pass(1);
		await notify(item.id);
		const line = api.lines.findLast((one) => one.item === item.id);
		assert.deepEqual([line.msg, line.level], ["gone at Pluggy", 40]);
		const ids = async () => (await existingItems(api.app)).map(({ id }) => id);
		assert.deepEqual(await ids(), [item.id]);
		api.pass(1);
		const other = newItem();
		await linkedBy(other.id);
		assert.deepEqual(await ids(), [other.id]);
	});

	test("accounts of an ended consent are not listed, and an item without accounts is a warning", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		fake.moveItem(item.id, "loginError", {
			executionStatus: /** @type {any} */ ("USER_AUTHORIZATION_REVOKED"),
		});
		await notify(item.id);
		assert.deepEqual(await link.rows(), []);
		const consentExpiresAt = new Date(api.app.now().getTime() + HOUR_MS);
		fake.moveItem(item.id, "updated", { consentExpiresAt });
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
		api.pass(2);
		assert.deepEqual(await link.rows(), []);
		fake.moveItem(item.id, "updated", { consentExpiresAt: null });
		fake.accounts.set(item.id, []);
		await notify(item.id);
		const line = api.lines.findLast((one) => one.item === item.id);
		assert.match(line.msg, /0 of 0 accounts/);
		assert.equal(line.level, 40);
	});

	test("an item whose transactions are old is a warning, although the item was updated", async () => {
		const lastUpdatedAt = api.app.now();
		const old = new Date(lastUpdatedAt.getTime() - 3 * DAY_HOURS * HOUR_MS);
		for (const [date, level] of /** @type {[Date | null, number][]} */ ([
			[lastUpdatedAt, 30],
			[old, 40],
			[null, 30],
		])) {
			const transactions = { isUpdated: false, lastUpdatedAt: date };
			const statusDetail = /** @type {any} */ ({ transactions });
			const item = newItem("partial", { lastUpdatedAt, statusDetail });
			await linkedBy(item.id);
			const line = api.lines.findLast((one) => one.item === item.id);
			assert.equal(line.level, level, `${date}`);
		}
	});

	test("a login that failed is deleted by the firm, and a connection with accounts is not", async () => {
		const failed = fake.addItem(api.client.uuid, "loginError");
		const item = newItem();
		for (const { id } of [failed, item]) await linkedBy(id);
		await deleteUnused(api.app, failed.id);
		const refusal = deleteUnused(api.app, item.id);
		await assert.rejects(refusal, /no bank connection without accounts/);
		assert.deepEqual([...fake.items.keys()], [item.id]);
		const rows = await existingItems(api.app);
		assert.deepEqual(
			rows.map(({ id }) => id),
			[item.id],
		);
	});

	test("a cancellation, a departure and an erasure delete an item that Pluggy did not return", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		const hide = async () => {
			fake.items.delete(item.id);
			await notify(item.id);
			fake.items.set(item.id, item);
			fake.requests = [];
		};
		await hide();
		fake.outage = outage;
		assert.equal((await link.cancel()).status, 502);
		fake.outage = undefined;
		assert.equal((await link.cancel()).status, 200);
		assert.ok(!fake.items.has(item.id));
		assert.ok(fake.count("DELETE /items") > 0);

		const other = newItem();
		await linkedBy(other.id);
		fake.items.delete(other.id);
		await notify(other.id);
		fake.items.set(other.id, other);
		await assert.rejects(erase(api.app, api.client), /end them first/);
		assert.equal(await leave(api.app, api.client), 1);
		assert.equal(fake.items.size, 0);
		await erase(api.app, api.client);
	});

	test("an item that was named and that Pluggy does not return yet is deleted when it comes after the cancellation", async () => {
		const item = newItem();
		const link = await api.consentedLink();
		fake.items.delete(item.id);
		await link.success(item.id);
		await api.settle();
		assert.equal((await link.cancel()).status, 200);
		api.pass(0.1);
		await api.sweep();
		fake.items.set(item.id, item);
		api.pass(1);
		await api.sweep();
		assert.equal(fake.items.size, 0);
	});

	test("a reading that ends during a cancellation does not hide the deletion", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		const release = new AbortController();
		fake.onRequest = async (name) => {
			if (name === "GET /items") await once(release.signal, "abort");
		};
		const reading = api.app.items.reconcile(item.id);
		await until(() => fake.count("GET /items") === 2);
		assert.equal((await link.cancel()).status, 200);
		release.abort();
		await reading;
		fake.onRequest = async () => {};
		const { result } = await api.app.database.get("SELECT result FROM item");
		assert.match(result, /^deleted at Pluggy/);
	});

	test("another application than that of the database is refused", async () => {
		const { settings } = api.app;
		const DATABASE_URL =
			settings.database === ":memory:"
				? join(tmpdir(), `${randomUUID()}.db`)
				: settings.database;
		const first = await startApi({ ...env, DATABASE_URL });
		await first.stop();
		await assert.rejects(
			startApi({ ...env, DATABASE_URL, PLUGGY_CLIENT_ID: randomUUID() }),
			/PLUGGY_CLIENT_ID is not the application of this database, 7a1e9b52/,
		);
		const again = await startApi({ ...env, DATABASE_URL });
		await again.stop();
		for (const end of ["", "-wal", "-shm"])
			rmSync(DATABASE_URL + end, { force: true });
	});

	test("accounts that Pluggy has no longer go, but an empty list deletes nothing", async () => {
		const item = newItem();
		fake.addAccount(item.id, { number: "0001/2-2", bankData: null });
		const link = await linkedBy(item.id);
		assert.equal((await link.rows()).length, 2);
		fake.accounts.get(item.id)?.pop();
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
		fake.accounts.set(item.id, []);
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a list of accounts is read whole, and one without a page deletes nothing", async () => {
		const item = newItem();
		for (const number of ["0001/2-2", "0001/3-3"])
			fake.addAccount(item.id, { number, bankData: null });
		fake.pageSize = 1;
		const link = await linkedBy(item.id);
		assert.equal((await link.rows()).length, 3);
		const [account] = fake.accounts.get(item.id) ?? [];
		fake.onRequest = async (name) => {
			if (name !== "GET /accounts") return;
			// The same page, whichever is asked for.
			const body = { page: 1, totalPages: 3, results: [account] };
			fake.outage = { status: 200, body };
		};
		await notify(item.id);
		fake.onRequest = async () => {};
		fake.outage = undefined;
		fake.pageSize = 500;
		assert.equal((await link.rows()).length, 3);
		assert.match(api.linesOf(item.id).at(-1) ?? "", /without page 2 of a list/);
	});

	test("an odd account, bank or status hides only itself", async () => {
		const odd = /** @type {any[]} */ ([
			{ number: null, bankData: null, owner: "a" },
			{ number: 7, bankData: { transferNumber: 7 }, owner: "b" },
			{ number: {}, bankData: 1, owner: "c" },
			{ owner: null, marketingName: null, name: null },
			{ owner: "d\0", taxNumber: 12 },
			{ id: null },
			{ id: {} },
			{ id: 7, owner: "e" },
		]);
		const item = newItem("updated", {
			connector: /** @type {any} */ (null),
			executionStatus: /** @type {any} */ (null),
			userAction: /** @type {any} */ ({ expiresAt: "soon" }),
			lastUpdatedAt: /** @type {any} */ ("2026-11-26"),
			statusDetail: /** @type {any} */ ({ accounts: { warnings: [null] } }),
		});
		for (const more of odd) fake.addAccount(item.id, more);
		fake.accounts.get(item.id)?.push(/** @type {any} */ (null));
		const link = await linkedBy(item.id);
		assert.deepEqual(
			(await link.rows()).map(({ name }) => name).sort(),
			// Those with the usual number are one row.
			["", "a", "b", "c"],
		);
		assert.equal((await link.rows()).length, 4);
		fake.addItem(/** @type {any} */ ({ odd: true }), "updated", {
			id: "00000000-0000-4000-8000-000000000000",
		});
		await link.success("00000000-0000-4000-8000-000000000000");
		await api.settle();
		assert.equal((await link.rows()).length, 4);
	});

	test("a bank that is linked twice keeps both connections, and lists a shared account once", async () => {
		const maria = newItem("updated", {}, { owner: "Maria" });
		fake.addAccount(maria.id, { number: "0001/222-2", bankData: null });
		const jose = newItem("updated", {}, { owner: "Maria" });
		fake.addAccount(jose.id, { number: "0001/333-3", bankData: null });
		await linkedBy(maria.id);
		const link = await linkedBy(jose.id);
		assert.equal(fake.items.size, 2);
		assert.deepEqual(
			(await link.rows()).map(({ number }) => number),
			["12345-0", "222-2", "333-3"],
		);
	});

	test("a screen that polls makes no call to Pluggy for what is final", async () => {
		const link = await linkedBy(newItem().id);
		fake.requests = [];
		for (let poll = 0; poll < 20; poll += 1) await link.rows();
		await api.settle();
		assert.deepEqual(fake.requests, []);
	});

	test("an update that changed nothing is refused as such, and one that did is not", async () => {
		const item = newItem();
		await linkedBy(item.id);
		const link = await api.link("update", { item: item.id });
		assert.equal((await link.validate()).data.link_id, item.id);
		await link.connectToken(item.id);
		assert.equal(fake.lastConnectToken.itemId, item.id);
		assert.deepEqual(await link.update(item.id.toUpperCase()), {
			status: 409,
			message: "no changes",
			data: null,
		});
		fake.moveItem(item.id, "updated");
		assert.equal((await link.update(item.id)).status, 200);
		// In doubt there was a change: this one was seen already, but no connect token was made since.
		assert.equal((await link.update(item.id)).status, 200);

		const other = newItem();
		assert.equal((await link.update(other.id)).status, 200);
		assert.equal((await link.validate()).data.link_id, other.id);
		assert.equal(fake.items.size, 2);
	});

	test("a link without consent makes no call to Pluggy, whatever it names", async () => {
		const link = await api.link();
		assert.equal((await link.update(randomUUID())).message, "No consent");
		assert.equal((await link.connectToken()).message, "No consent");
		assert.equal((await link.success(randomUUID())).status, 200);
		await api.settle();
		await api.sweep();
		assert.deepEqual(fake.requests, []);
	});

	test("a consent to one firm is none to another", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		api.app.settings.firm = { id: 4712, name: "Outra Contábil" };
		assert.equal((await link.connectToken()).message, "No consent");
		await notify(item.id);
		assert.deepEqual(await link.rows(), []);
		assert.match(api.linesOf(item.id).at(-1) ?? "", /no consent, kept apart$/);
		const body = { customer_id: 4712 };
		for (const status of [200, 200])
			assert.equal(
				(await link.call("POST", "authorize-customer", body)).status,
				status,
			);
		assert.equal((await link.connectToken()).status, 200);
		await notify(item.id);
		assert.deepEqual(await link.rows(), [ROW]);
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("an update of an item that is not there, or another client's, is not found", async () => {
		const item = newItem();
		await linkedBy(item.id);
		const link = await api.link("update", { item: item.id });
		const foreign = fake.addItem(randomUUID());
		for (const id of [foreign.id, randomUUID(), "../connectors"]) {
			const answer = await link.update(id);
			assert.equal(answer.status, 404, id);
			assert.equal(answer.message, "item not found");
		}
	});

	test("a connect token that finds no item removes it from the list", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		const update = await api.link("update", { item: item.id });
		fake.items.delete(item.id);
		assert.deepEqual(await update.connectToken(item.id), {
			status: 404,
			message: "item not found",
			data: null,
		});
		assert.deepEqual(await link.rows(), []);
	});

	test("a cancellation succeeds once every item is gone at Pluggy", async () => {
		const items = [newItem(), newItem("pending"), newItem("loginError")];
		const [first] = items;
		for (const { id } of items) await linkedBy(id);
		const link = await api.consentedLink();
		fake.outage = outage;
		assert.deepEqual(await link.cancel(), {
			status: 502,
			message: "Pluggy does not answer",
			data: null,
		});
		// What is not deleted yet is shown.
		assert.deepEqual(await link.rows(), [ROW]);
		await api.settle();
		fake.outage = undefined;
		fake.deletionStatus = 204;
		fake.items.delete(first?.id ?? "");
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
		assert.deepEqual(await link.rows(), []);
		for (const { id } of items)
			assert.match(api.linesOf(id).at(-1) ?? "", /^deleted at Pluggy/);
	});

	test("a cancellation that failed goes on without its client", async () => {
		const item = newItem();
		const link = await linkedBy(item.id);
		fake.outage = outage;
		await link.cancel();
		await api.sweep();
		fake.outage = undefined;
		await api.sweep();
		assert.equal(fake.items.size, 0);
		assert.equal((await link.cancel()).status, 200);
	});

	test("a cancellation also ends an item that was named and not read yet", async () => {
		const item = newItem();
		const link = await api.consentedLink();
		fake.outage = outage;
		await link.success(item.id);
		await api.settle();
		assert.equal((await link.cancel()).status, 502);
		fake.outage = undefined;
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("an item that comes after the cancellation is deleted at Pluggy", async () => {
		const link = await api.consentedLink();
		await link.cancel();
		const late = newItem();
		assert.equal((await link.success(late.id)).status, 200);
		await api.settle();
		const later = newItem();
		await notify(later.id);
		assert.equal(fake.items.size, 0);
		assert.deepEqual(api.linesOf(late.id), [
			"deleted at Pluggy: its consent is withdrawn",
		]);
	});

	test("a link that is made after a cancellation begins anew", async () => {
		const old = await api.consentedLink();
		await old.cancel();
		// Whatever the clock says.
		api.pass(-1);
		const link = await api.consentedLink();
		const forgotten = newItem();
		const item = newItem();
		await old.success(forgotten.id);
		await notify(item.id);
		assert.deepEqual([...fake.items.keys()], [item.id]);
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a cancellation ends what is there, whatever was cancelled before", async () => {
		const first = await api.consentedLink();
		const unused = await api.link("cancel");
		assert.equal((await first.cancel()).status, 200);
		for (const old of [unused, first]) {
			const item = newItem();
			const link = await linkedBy(item.id);
			assert.equal((await old.validate()).status, 200);
			assert.deepEqual(await old.rows(), [ROW]);
			fake.outage = outage;
			assert.equal((await old.cancel()).status, 502);
			fake.outage = undefined;
			assert.equal((await old.cancel()).status, 200);
			assert.equal(fake.items.size, 0);
			assert.deepEqual(await link.rows(), []);
			assert.equal((await link.connectToken()).status, 403);
		}
	});

	test("a cancellation does not succeed before an item that was named is known", async () => {
		await api.consentedLink();
		// Its client has consented with another link.
		const link = await api.link();
		const item = newItem();
		fake.outage = outage;
		await link.success(item.id);
		await api.settle();
		const cancel = await api.link("cancel");
		assert.equal((await cancel.cancel()).status, 502);
		fake.outage = undefined;
		assert.equal((await cancel.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("a client who leaves has no connection afterwards", async () => {
		const items = [newItem(), newItem("updating")];
		for (const { id } of items) await linkedBy(id);
		const other = await api.newClient("529.982.247-25");
		await api.consentedLink(other);
		const kept = fake.addItem(other.uuid);
		await notify(kept.id);
		assert.equal(await leave(api.app, api.client), 2);
		assert.deepEqual([...fake.items.keys()], [kept.id]);
	});

	test("a client without a link leaves, with a connection that was kept apart", async () => {
		await notify(newItem().id);
		assert.equal(await leave(api.app, api.client), 1);
		assert.equal(fake.items.size, 0);
	});

	test("all data of a client are erased, once no connection exists", async () => {
		const link = await linkedBy(newItem().id);
		const other = await api.newClient("529.982.247-25");
		const foreign = await api.consentedLink(other);
		const kept = fake.addItem(other.uuid);
		// Both links name the item of the other client.
		for (const one of [link, foreign]) await one.success(kept.id);
		await api.settle();
		const { database } = api.app;
		await assert.rejects(erase(api.app, api.client), /end them first/);
		await leave(api.app, api.client);
		await erase(api.app, api.client);
		const rows = [];
		for (const table of ["client", "link", "consent", "item", "log"])
			rows.push(...(await database.all(`SELECT * FROM ${table}`)));
		assert.ok(!JSON.stringify(rows).includes(api.client.uuid));
		assert.deepEqual(
			rows.map(({ uuid, client, id }) => uuid ?? client ?? id).slice(0, 4),
			Array(4).fill(other.uuid),
		);
		assert.equal((await link.validate()).message, "Token not found");
		assert.equal((await foreign.cancel()).status, 200);
	});

	test("a link names items for a day after its end", async () => {
		const link = await api.consentedLink();
		await revokeLinks(api.app, api.client);
		api.pass(8 * DAY_HOURS - 1);
		await link.success(newItem().id);
		await api.settle();
		assert.equal(fake.count("GET /items"), 1);
		api.pass(2);
		const late = newItem();
		assert.equal((await link.success(late.id)).status, 200);
		await api.settle();
		await api.sweep();
		assert.equal(fake.count("GET /items"), 1);
		assert.match(api.linesOf(late.id).join(), /^only stored/);
	});

	test("a link has 16 unfinished items; the browser keeps a further one", async () => {
		const link = await api.consentedLink();
		const ids = Array.from({ length: 16 }, () => randomUUID());
		for (const id of ids) assert.equal((await link.success(id)).status, 200);
		await api.settle();
		const item = newItem();
		assert.equal((await link.success(item.id)).status, 429);
		assert.equal((await link.update(item.id)).status, 429);
		assert.equal((await link.success(ids[0] ?? "")).status, 200);
		await api.settle();
		// Ids that are no items are forgotten after a day.
		api.pass(DAY_HOURS + 1);
		await api.sweep();
		assert.equal((await link.success(item.id)).status, 200);
		await api.settle();
		assert.deepEqual(await link.rows(), [ROW]);
	});

	test("a link stores 200 entries, which are forgotten after 90 days", async () => {
		const link = await api.consentedLink();
		const log = (/** @type {number} */ entry) =>
			link.log("pluggy-getConnectToken-request", { entry });
		const stored = async () => {
			const sql = "SELECT CAST(count(*) AS INTEGER) AS count FROM log";
			return (await api.app.database.get(sql)).count;
		};
		for (let entry = 0; entry < 210; entry += 1)
			assert.equal((await log(entry % 205)).status, 200);
		assert.equal(await stored(), 200);
		// An item is stored nevertheless.
		assert.equal((await link.success(newItem().id)).status, 200);
		await api.settle();
		assert.deepEqual(await link.rows(), [ROW]);
		api.pass(90 * DAY_HOURS + 1);
		await api.sweep();
		await log(200);
		assert.equal(await stored(), 1);
	});

	test("an item whose own update is six hours late is read again", async () => {
		const nextAutoSyncAt = new Date(api.app.now().getTime() + HOUR_MS);
		await linkedBy(newItem("updated", { nextAutoSyncAt }).id);
		fake.requests = [];
		api.pass(6);
		await api.sweep();
		assert.equal(fake.count("GET /items"), 0);
		api.pass(2);
		await api.sweep();
		assert.equal(fake.count("GET /items"), 1);
	});
}

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
			["0001", "06809695-5"],
			["0001", "12345-X"],
			["", "12345"],
		],
	);
});

test("the firm has to act on a connection if nothing else repairs it", () => {
	const now = new Date("2026-11-26T12:00:00.000Z");
	const days = (/** @type {number} */ count) =>
		new Date(now.getTime() + count * 24 * HOUR_MS).toISOString();
	const row = /** @type {import("../src/items.js").Row} */ ({
		id: "i",
		client: "c",
		consent: "l",
		status: "UPDATED",
		execution_status: "SUCCESS",
		seen_at: days(-100),
		last_updated_at: days(-1),
		consent_expires_at: null,
		listed: 1,
		waits_until: null,
		gone_at: null,
		deleted_at: null,
		withdrawn_at: null,
	});
	/** @type {[Partial<typeof row>, string | undefined, string?][]} */
	const cases = [
		[{}, undefined],
		[{ status: "LOGIN_ERROR" }, "the bank refuses the login", "update"],
		[
			{ status: "LOGIN_ERROR", last_updated_at: null },
			"its first login failed",
			"delete",
		],
		[
			{ execution_status: "USER_AUTHORIZATION_REVOKED" },
			"its authorisation has ended",
			"update",
		],
		[{ consent_expires_at: days(31) }, undefined],
		[{ consent_expires_at: days(29) }, "its consent ends on 2026-12-25"],
		[{ status: "OUTDATED" }, undefined],
		[
			{ status: "OUTDATED", last_updated_at: days(-3) },
			"no transactions were read for two days",
		],
		[{ last_updated_at: days(-3) }, "no transactions were read for two days"],
		[{ last_updated_at: days(-3), waits_until: days(9) }, undefined],
		[{ status: "WAITING_USER_INPUT", waits_until: days(0.5) }, undefined],
		[
			{ status: "WAITING_USER_INPUT", waits_until: days(-1) },
			"its client has not finished the login",
		],
		[{ listed: 0 }, "its bank returns no accounts", "update"],
		[{ client: null }, "it has no client here", "delete"],
		[{ consent: null }, "no consent covers it", "link -- --item"],
		[{ gone_at: days(-1) }, "it is gone at Pluggy", "link -- --item"],
		[{ gone_at: days(-31) }, undefined],
		[{ withdrawn_at: days(-0.01) }, undefined],
		[{ withdrawn_at: days(-1) }, "its deletion fails", "delete"],
		[{ withdrawn_at: days(-1), deleted_at: days(-1) }, undefined],
		[{ status: null }, undefined],
	];
	for (const [more, reason, command = ""] of cases) {
		const found = taskOf({ ...row, ...more }, now) ?? [];
		assert.equal(found[0], reason, JSON.stringify(more));
		assert.match(found[1] ?? "", new RegExp(command));
	}
	assert.equal(taskOf(row, now, false)?.[0], "its client has left");
});
