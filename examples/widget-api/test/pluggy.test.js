/** How Pluggy is called: keys, failures, limits. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { startApi } from "./api.js";
import { skipPostgres, startPostgres } from "./databases.js";
import { FakePluggy } from "./fake-pluggy.js";
import { until } from "./until.js";

const fake = await new FakePluggy().start();
after(() => fake.stop());

describe("on SQLite", () => suite(async () => ":memory:"));
describe("on PostgreSQL", { skip: skipPostgres }, () => suite(startPostgres()));

const refused = { status: 502, message: "Pluggy does not answer", data: null };

/** @param {() => Promise<string>} newDatabase */
function suite(newDatabase) {
	/** @type {import("./api.js").Api | undefined} */
	let running;
	/** @type {import("./api.js").Api} */
	let api;
	/** @type {import("./link-calls.js").LinkCalls} */
	let link;
	beforeEach(() => start());
	afterEach(async () => {
		fake.outage = undefined;
		fake.delayMs = 0;
		fake.onRequest = async () => {};
		await running?.stop();
		running = undefined;
		fake.items.clear();
		fake.requests = [];
		assert.deepEqual(fake.strays.splice(0), []);
	});

	/** @param {Record<string, string>} env @param {Partial<{ request: number, call: number, perSecond: number }>} limits */
	async function start(env = {}, limits = {}) {
		await running?.stop();
		const DATABASE_URL = await newDatabase();
		const settings = { ...fake.settings, DATABASE_URL, ...env };
		api = await startApi(settings, { limits: { perSecond: 1_000, ...limits } });
		running = api;
		link = await api.consentedLink();
	}

	test("an expired key is renewed once for all requests", async () => {
		await link.connectToken();
		const links = await Promise.all(
			Array.from({ length: 5 }, () => api.consentedLink()),
		);
		fake.expireKeys();
		fake.requests = [];
		const answers = await Promise.all(links.map((one) => one.connectToken()));
		for (const { status } of answers) assert.equal(status, 200);
		assert.equal(fake.count("POST /auth"), 1);
	});

	test("several first requests share one key", async () => {
		const other = await api.consentedLink();
		await Promise.all([
			link.connectToken(),
			other.connectToken(),
			link.banks(),
		]);
		assert.equal(fake.count("POST /auth"), 1);
	});

	test("credentials that Pluggy refuses are tried once more, and no client sees why", async () => {
		await start({ PLUGGY_CLIENT_SECRET: "wrong" });
		assert.deepEqual(await link.connectToken(), refused);
		assert.equal(fake.count("POST /auth"), 2);
	});

	test("too many requests are not repeated within a call, because Pluggy names a minute", async () => {
		await link.connectToken();
		fake.limit(9, 1);
		fake.requests = [];
		assert.deepEqual(await link.connectToken(), refused);
		assert.equal(fake.count("POST /connect_token"), 1);
		fake.limit(0, 0);
	});

	test("while Pluggy hangs, the rate limit holds and no request follows the end of its call", async () => {
		await start({}, { perSecond: 5, request: 300, call: 2_000 });
		await link.connectToken();
		for (let count = 0; count < 60; count += 1)
			await api.app.items.name(randomUUID(), null);
		fake.requests = [];
		fake.onRequest = () => new Promise(() => {});
		const sweep = api.sweep();
		await pause(4_000);
		assert.ok(fake.requests.length <= 25, `${fake.requests.length} in 4 s`);
		fake.onRequest = async () => {};
		await sweep;

		await start({}, { request: 300, call: 1_000 });
		await link.connectToken();
		fake.onRequest = () => new Promise(() => {});
		assert.deepEqual(await link.connectToken(), refused);
		fake.requests = [];
		await pause(4_000);
		assert.deepEqual(fake.requests, []);
	});

	test("a response of another item, without a token or without JSON is a failure of Pluggy", async () => {
		await start({}, { call: 0 });
		const { id } = fake.addItem(api.client.uuid);
		fake.addAccount(id);
		await link.success(id);
		await api.settle();
		const update = await api.link("update", { item: id });
		const other = fake.addItem(randomUUID());
		for (const body of [{}, null, other, "<h1>Hello</h1>"]) {
			fake.outage = { status: 200, body };
			assert.deepEqual(await update.update(id), refused);
			assert.deepEqual(await link.connectToken(), refused);
		}
		fake.outage = undefined;
		assert.equal((await link.rows()).length, 1);
	});

	test("a failure is repeated, also one of a gateway, and a refusal is not", async () => {
		await start({}, { call: 60_000 });
		/** @type {[import("./fake-pluggy.js").Answer, number[]][]} */
		const cases = [
			[
				{ status: 500, body: { code: 500, message: "Internal error" } },
				[200, 2],
			],
			[{ status: 502, body: "<h1>Bad gateway</h1>" }, [200, 2]],
			[
				{ status: 409, body: { codeDescription: "ITEM_USER_ALREADY_EXISTS" } },
				[502, 1],
			],
			[
				{ status: 400, body: { code: 400, codeDescription: "BAD_REQUEST" } },
				[502, 1],
			],
		];
		for (const [answer, expected] of cases) {
			fake.outage = answer;
			fake.requests = [];
			fake.onRequest = async () => {
				if (fake.count("POST /connect_token") === 2) fake.outage = undefined;
			};
			const { status } = await link.connectToken();
			const count = fake.count("POST /connect_token");
			assert.deepEqual([status, count], expected, `${answer.status}`);
		}
		fake.onRequest = async () => {};
		fake.outage = undefined;
	});

	test("a 404 that is not about an item is a failure of Pluggy, and ends no item", async () => {
		const { id } = fake.addItem(api.client.uuid);
		await link.success(id);
		await api.settle();
		const update = await api.link("update", { item: id });
		const answers = [{ message: "Not Found" }, "<h1>Not found</h1>"];
		for (const body of answers) {
			fake.outage = { status: 404, body };
			assert.deepEqual(await link.banks(), refused);
			assert.deepEqual(await link.connectToken(), refused);
			assert.deepEqual(await update.connectToken(id), refused);
			assert.deepEqual(await update.update(id), refused);
		}
		assert.deepEqual(await link.cancel(), refused);
		fake.outage = undefined;
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
	});

	test("a request that hangs is given up, and others go on", async () => {
		await start({}, { request: 4_000, call: 0 });
		await link.connectToken();
		fake.onRequest = () => new Promise(() => {});
		const hanging = link.success(randomUUID());
		const failing = link.connectToken();
		assert.equal((await hanging).status, 200);
		assert.deepEqual(await link.rows(), []);
		assert.deepEqual(await failing, refused);
		fake.onRequest = async () => {};
		assert.equal((await link.connectToken()).status, 200);
	});

	test("cancellations go first, and then clients who wait", async () => {
		await start({}, { perSecond: 5 });
		const gone = fake.addItem(api.client.uuid);
		await link.success(gone.id);
		await api.settle();
		const other = await api.newClient("529.982.247-25");
		const others = await Promise.all(
			Array.from({ length: 30 }, () => api.consentedLink(other)),
		);
		fake.requests = [];
		// Requests for 6 seconds, if each had its turn.
		await Promise.all(others.map((one) => one.success(randomUUID())));
		const token = others[0]?.connectToken();
		assert.equal((await link.cancel()).status, 200);
		assert.equal((await token)?.status, 200);
		assert.ok(fake.count("GET /items") < 30, `${fake.count("GET /items")}`);
	});

	test("an update, and a new item whose client waits, go before other readings", async () => {
		await start({}, { perSecond: 5 });
		const [item, late, ...others] = Array.from({ length: 42 }, () => {
			const { id } = fake.addItem(api.client.uuid);
			fake.addAccount(id, { number: id, bankData: null });
			return id;
		});
		assert.ok(item && late);
		await link.success(item);
		await api.settle();
		const update = await api.link("update", { item });
		for (const id of others) await api.app.items.name(id, null);
		await api.app.database.run("UPDATE item SET status = 'UPDATED'");
		let isOver = false;
		void api.sweep().then(() => (isOver = true));
		void api.app.items.reconcileLater(item);
		const isListed = async () =>
			(await link.rows()).some(({ number }) => number === late);
		const [renewal, repeated] = await Promise.all([
			update.connectToken(item),
			link.update(item),
			link.success(late).then(() => until(isListed)),
		]);
		assert.deepEqual([renewal.status, repeated.status], [200, 200]);
		assert.equal(isOver, false);
	});

	test("a cancellation waits for no call of its own link or item that hangs", async () => {
		await start({}, { request: 60_000 });
		const { id } = fake.addItem(api.client.uuid);
		await link.success(id);
		await api.settle();
		const update = await api.link("update", { item: id });
		const release = new AbortController();
		fake.onRequest = async (name) => {
			if (name !== "DELETE /items") await once(release.signal, "abort");
		};
		fake.requests = [];
		let ended = 0;
		const others = [link.connectToken(), update.connectToken(id)];
		for (const other of others) void other.then(() => (ended += 1));
		await link.success(id);
		const hanging = ["GET /items", "GET /items", "POST /connect_token"];
		await until(() => fake.requests.length === hanging.length);
		assert.deepEqual(fake.requests.toSorted(), hanging);
		assert.equal((await link.cancel()).status, 200);
		assert.equal(ended, 0);
		assert.ok(!fake.items.has(id));
		fake.onRequest = async () => {};
		release.abort();
		await Promise.all(others);
	});

	test("a connector without a name is left out of the banks, which are read once an hour", async () => {
		const [one] = fake.connectors;
		const nameless = { ...one, type: "BUSINESS_BANK", id: 999, name: null };
		fake.connectors.push(/** @type {any} */ (nameless));
		try {
			const codes = (await link.banks()).data.map(
				(/** @type {{ code: string }} */ { code }) => code,
			);
			await link.banks();
			assert.deepEqual(codes, ["619", "2"]);
			// One for Open Finance, one for test banks.
			assert.equal(fake.count("GET /connectors"), 2);
			api.pass(1.1);
			await link.banks();
			assert.equal(fake.count("GET /connectors"), 4);
		} finally {
			fake.connectors.pop();
		}
	});

	test("a list of banks is read whole, and one without a list is a failure", async () => {
		await start({}, { call: 0 });
		fake.pageSize = 1;
		const { data } = await link.banks();
		fake.pageSize = 500;
		assert.equal(data.length, 2);
		api.pass(1.1);
		fake.outage = { status: 200, body: {} };
		assert.deepEqual(await link.banks(), refused);
	});

	test("test banks are left out where the product does not offer them", async () => {
		await start({ PLUGGY_INCLUDE_SANDBOX: "false" });
		const { data } = await link.banks();
		assert.ok(!JSON.stringify(data).includes("Pluggy Bank"));
	});

	test("a connect token names no address to return to while the product is on this machine", async () => {
		assert.equal((await link.connectToken()).status, 200);
		assert.equal(fake.lastConnectToken.options.oauthRedirectUri, undefined);
	});

	test("the webhook is registered with its secret", async () => {
		const url = "https://api.example.com/hooks/pluggy";
		await api.app.pluggy.registerHook(url, "current");
		const { headers } = fake.webhooks.at(-1) ?? {};
		assert.deepEqual(headers, { "X-Hook-Secret": "current" });
	});

	test("a webhook that is registered again gets the new secret, and is enabled", async () => {
		const other = "https://api.example.com/other";
		const url = "https://api.example.com/renewed";
		fake.webhooks = [];
		await api.app.pluggy.registerHook(other, "other");
		await api.app.pluggy.registerHook(url, "old");
		await api.app.pluggy.registerHook(url, "new");
		const hooks = fake.webhooks.map(({ url, headers, enabled }) => [
			url,
			headers["X-Hook-Secret"],
			enabled,
		]);
		assert.deepEqual(hooks, [
			[other, "other", undefined],
			[url, "new", true],
		]);
	});

	test("an item that is made by hand at the fake belongs to the client of the last connect token", async () => {
		const make = async (query = "") => {
			const answer = await fetch(`${fake.url}/fake/items${query}`, {
				method: "POST",
			});
			return {
				status: answer.status,
				.../** @type {any} */ (await answer.json()),
			};
		};
		fake.connectTokens.clear();
		assert.equal((await make()).status, 409);
		await link.connectToken();
		assert.equal((await make("?state=none")).status, 400);
		const { status, id } = await make();
		assert.equal(status, 201);
		assert.equal(fake.items.get(id)?.clientUserId, api.client.uuid);
	});
}
