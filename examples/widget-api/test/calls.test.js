/** What the calls accept and refuse. */
import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, afterEach, beforeEach, describe, test } from "node:test";
import { asShown } from "../src/clients.js";
import { leave } from "../src/ending.js";
import { hashOf, makeLink, revokeLinks } from "../src/links.js";
import { startApi } from "./api.js";
import { skipPostgres, startPostgres } from "./databases.js";
import { CLIENT_ID, FakePluggy } from "./fake-pluggy.js";
import { LinkCalls } from "./link-calls.js";

const fake = await new FakePluggy().start();
after(() => fake.stop());

describe("on SQLite", () => suite(async () => ":memory:"));
describe("on PostgreSQL", { skip: skipPostgres }, () => suite(startPostgres()));

/** @param {() => Promise<string>} newDatabase */
function suite(newDatabase) {
	/** @type {import("./api.js").Api} */
	let api;
	beforeEach(async () => {
		const DATABASE_URL = await newDatabase();
		api = await startApi({ ...fake.settings, DATABASE_URL });
	});
	afterEach(async () => {
		await api.stop();
		fake.items.clear();
		fake.requests = [];
		assert.deepEqual(fake.strays.splice(0), []);
	});

	test("an expired link works for two hours for whoever was at the bank", async () => {
		const link = await api.link("new", { hours: 1 });
		api.pass(2);
		const expired = { status: 401, message: "Expired token", data: null };
		assert.deepEqual(await link.validate(), expired);
		const returned = await link.validate({ no_validate: "of-success" });
		assert.equal(returned.status, 200);
		assert.equal((await link.consent()).status, 200);
		api.pass(1.1);
		assert.deepEqual(await link.consent(), expired);
	});

	test("a link whose consent is in force outlives its date as a way to cancel", async () => {
		const expired = { status: 401, message: "Expired token", data: null };
		const link = await api.consentedLink();
		const { id } = fake.addItem(api.client.uuid);
		fake.addAccount(id);
		await link.success(id);
		await api.settle();
		const update = await api.link("update", { item: id });
		const unused = await api.link();
		api.pass(30 * 24);
		for (const one of [link, update]) {
			for (const more of [{}, { no_validate: "of-success" }]) {
				const { data } = await one.validate(more);
				assert.equal(data.widget_type, "cancel");
				assert.equal(data.link_id, null);
			}
			assert.equal((await one.rows()).length, 1);
			assert.deepEqual(await one.connectToken(id), expired);
			assert.deepEqual(await one.consent(), expired);
			assert.deepEqual(await one.update(id), expired);
			assert.deepEqual(await one.banks(), expired);
		}
		assert.deepEqual(await unused.validate(), expired);
		assert.deepEqual(await unused.cancel(), expired);
		fake.outage = { status: 403, body: { codeDescription: "REFUSED" } };
		assert.equal((await link.cancel()).status, 502);
		fake.outage = undefined;
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
		assert.deepEqual(await link.rows(), []);
		// There is nothing left to withdraw.
		assert.deepEqual(await link.validate(), expired);
		assert.deepEqual(await update.validate(), expired);
	});

	test("a revoked link is no way to cancel after its date", async () => {
		const link = await api.consentedLink();
		await revokeLinks(api.app, api.client);
		api.pass(30 * 24);
		assert.equal((await link.validate()).message, "Link revoked");
		assert.equal((await link.cancel()).message, "Link revoked");
	});

	test("an update link whose item is gone makes a new connection", async () => {
		const { id } = fake.addItem(api.client.uuid);
		const first = await api.consentedLink();
		await first.success(id);
		await api.settle();
		const link = await api.link("update", { item: id });
		assert.equal((await link.validate()).data.widget_type, "update");
		fake.items.delete(id);
		// A session that began before.
		for (let count = 0; count < 2; count += 1)
			assert.equal((await link.connectToken(id)).message, "item not found");
		const { data } = await link.validate();
		assert.equal(data.widget_type, "new");
		assert.equal(data.link_id, null);
		assert.equal((await link.consent()).status, 200);
		assert.equal((await link.connectToken()).status, 200);
		assert.equal(fake.lastConnectToken.itemId, undefined);
	});

	test("an unknown link is refused, also on a return from the bank", async () => {
		const link = new LinkCalls(api.url, "unknown", api.client);
		for (const more of [{}, { no_validate: "of-success" }])
			assert.deepEqual(await link.validate(more), {
				status: 404,
				message: "Token not found",
				data: null,
			});
		const answer = await fetch(`${api.url}/list-accounts`);
		assert.equal(answer.status, 401);
	});

	test("a revoked link is refused, but for the log", async () => {
		const link = await api.consentedLink();
		await revokeLinks(api.app, api.client);
		assert.equal((await link.validate()).status, 403);
		assert.equal((await link.connectToken()).status, 403);
		assert.equal((await link.success(randomUUID())).status, 200);
	});

	test("a client who is not active can only withdraw", async () => {
		const open = await api.consentedLink();
		await api.app.database.run("UPDATE client SET is_active = 0");
		const refusal = { status: 403, message: "Client not active", data: null };
		for (const answer of [
			await open.validate(),
			await open.consent(),
			await open.banks(),
			await open.connectToken(),
			await open.update(randomUUID()),
		])
			assert.deepEqual(answer, refusal);
		await leave(api.app, api.client);
		const inactive = { ...api.client, isActive: false };
		await assert.rejects(api.link("new", {}, inactive), /not active/);
		const cancel = await api.link("cancel", {}, inactive);
		assert.deepEqual(await open.validate(), refusal);
		assert.equal((await open.connectToken()).status, 403);
		assert.equal((await cancel.consent()).status, 403);
		assert.equal((await cancel.validate()).status, 200);
		assert.deepEqual(await open.rows(), []);
		assert.equal((await open.cancel()).status, 200);
	});

	test("a company is offered business banks, an individual personal ones, and both the test banks", async () => {
		const person = await api.newClient("529.982.247-25");
		const company = await api.newClient("12.ABC.345/01DE-35");
		/** @type {[typeof person, string[]][]} */
		const cases = [
			[person, ["Itaú", "Nubank", "Pluggy Bank"]],
			[company, ["Itaú Empresas", "Pluggy Bank"]],
		];
		for (const [client, names] of cases) {
			const { data } = await (await api.link("new", {}, client)).banks();
			assert.deepEqual(
				data.map((/** @type {{ name: string }} */ { name }) => name),
				names,
			);
		}
	});

	test("ids and documents of others are refused", async () => {
		const link = await api.consentedLink();
		const other = await api.link();
		/** @type {[string, object][]} */
		const cases = [
			["authorize-customer", { customer_id: 4712 }],
			["authorize-customer", { customer_id: "4711" }],
			["connect-token", { link_id: null, client_uuid: randomUUID() }],
			["connect-token", { link_id: null, client_uuid: null }],
			[
				"connect-token",
				{ link_id: randomUUID(), client_uuid: api.client.uuid },
			],
			["success", { token: other.token }],
		];
		for (const [path, body] of cases)
			assert.equal((await link.call("POST", path, body)).status, 403, path);
	});

	test("an update link is made only for an item of its client", async () => {
		const other = await api.newClient("529.982.247-25");
		const { id } = fake.addItem(api.client.uuid);
		const link = await api.consentedLink();
		await link.success(id);
		await api.settle();
		for (const item of [id, "not-an-id", randomUUID(), null])
			await assert.rejects(
				makeLink(api.app, other, "update", { item }),
				/not a bank connection of this client/,
			);
		// Nor does a connect token renew another client's item.
		const token = await makeLink(api.app, api.client, "update", { item: id });
		await api.app.database.run(
			"UPDATE link SET client = $1 WHERE widget_type = 'update'",
			other.uuid,
		);
		await api.consentedLink(other);
		const foreign = new LinkCalls(api.url, token, other);
		assert.equal((await foreign.connectToken(id)).message, "item not found");
		assert.equal(fake.count("POST /connect_token"), 0);
	});

	test("a cancellation goes by its link, whatever the document", async () => {
		const link = await api.consentedLink();
		const { id } = fake.addItem(api.client.uuid);
		await link.success(id);
		await api.app.database.run("UPDATE client SET document = 'corrected'");
		assert.equal((await link.cancel()).status, 200);
		assert.equal(fake.items.size, 0);
		for (const cpfcnpj of ["", null]) {
			const body = { cpfcnpj };
			const answer = await link.call("POST", "cancel-integrations", body);
			assert.equal(answer.status, 200);
		}
	});

	test("a body of another shape, a wrong method and an unknown path are refused in the envelope", async () => {
		const link = await api.link();
		/** @type {[string, string, unknown, number][]} */
		const cases = [
			["POST", "authorize-customer", { customer_id: null }, 422],
			["POST", "authorize-customer", [], 422],
			["POST", "authorize-customer", undefined, 422],
			["POST", "validate-token", { token: 7 }, 422],
			["POST", "log", { type: 7, status: "SUCCESS", data_log: "{}" }, 422],
			[
				"POST",
				"log",
				{ type: "pluggy-widget-error", status: "ERROR", data_log: "{" },
				422,
			],
			["PUT", "update-link-account", { link: "x".repeat(129) }, 422],
			["POST", "list-accounts", undefined, 400],
			["GET", "log", undefined, 400],
			["GET", "nothing", undefined, 400],
			["POST", "success", { token: "x".repeat(4_096) }, 413],
			// Control characters, which no value has.
			["POST", "validate-token", { token: "\0" }, 422],
			["POST", "authorize-customer", { customer_id: "a\u0085" }, 422],
			["POST", "connect-token", { link_id: "\0", client_uuid: null }, 422],
			["POST", "connect-token", { link_id: null, client_uuid: "\n" }, 422],
			["PUT", "update-link-account", { link: "\0" }, 422],
			["POST", "success", { token: "\0" }, 422],
			[
				"POST",
				"log",
				{ type: "pluggy-widget-error", status: "ERROR", data_log: '"\0"' },
				422,
			],
			["GET", "list-accounts%00", undefined, 400],
		];
		for (const [method, path, body, status] of cases)
			assert.equal((await link.call(method, path, body)).status, status, path);
		const text = await fetch(`${api.url}/success`, {
			method: "POST",
			headers: { authorization: `Bearer ${link.token}` },
			body: "{",
		});
		assert.equal(text.status, 422);
	});

	test("a consent is stored once for each link, with its evidence", async () => {
		const link = await api.link();
		const evidence = {
			"consent-client-address": "2804:14c:1:2::a",
			"consent-text-version": "1",
		};
		await link.consent({ ...evidence, "x-request-id": "0123456789ab" });
		await link.consent();
		const consents = await api.app.database.all("SELECT * FROM consent");
		assert.deepEqual(
			consents.map((row) => [JSON.parse(row.evidence), row.request_id]),
			[[evidence, "0123456789ab"]],
		);
	});

	test("a connect token needs a consent of the client, not of the link", async () => {
		const link = await api.link();
		assert.equal((await link.connectToken()).status, 403);
		assert.equal(fake.count("POST /connect_token"), 0);
		await api.consentedLink();
		assert.equal((await link.connectToken()).status, 200);
	});

	test("no token is in the tables", async () => {
		const link = await api.consentedLink();
		await link.call("POST", "success", { token: link.token });
		const rows = await api.app.database.all("SELECT * FROM link");
		assert.equal(rows[0].token_hash, hashOf(link.token));
		assert.ok(!JSON.stringify(rows).includes(link.token));
	});

	test("the first success is the link's end, which goes on working", async () => {
		const link = await api.consentedLink();
		const done = async () =>
			(await api.app.database.get("SELECT done_at FROM link")).done_at;
		await link.call("POST", "success", { token: link.token });
		const first = await done();
		assert.notEqual(first, null);
		api.pass(1);
		await link.call("POST", "success", { token: link.token });
		assert.equal(await done(), first);
		assert.equal((await link.connectToken()).status, 200);
	});

	test("after a cancellation a link is refused, but for what the contract says", async () => {
		const link = await api.consentedLink();
		const { id } = fake.addItem(api.client.uuid);
		await link.success(id);
		await api.settle();
		const update = await api.link("update", { item: id });
		await link.cancel();
		for (const answer of [
			await link.consent(),
			await link.connectToken(),
			await update.connectToken(id),
		]) {
			assert.equal(answer.status, 403);
			assert.equal(answer.message, "Integrations cancelled");
		}
		assert.equal((await link.validate()).status, 200);
		assert.deepEqual(await link.rows(), []);
		assert.equal((await link.cancel()).status, 200);
	});

	test("a new link that had no consent stays after a cancellation, and needs one of its own", async () => {
		const link = await api.consentedLink();
		const fresh = await api.link();
		await fresh.validate();
		await link.cancel();
		assert.equal((await fresh.connectToken()).status, 403);
		assert.equal((await fresh.consent()).status, 200);
		assert.equal((await fresh.connectToken()).status, 200);
	});

	test("a cancel link makes no connection", async () => {
		await api.consentedLink();
		const link = await api.link("cancel");
		const refusal = { status: 403, message: "A cancel link", data: null };
		assert.deepEqual(await link.consent(), refusal);
		assert.deepEqual(await link.connectToken(), refusal);
		assert.deepEqual(await link.update(randomUUID()), refusal);
		assert.equal((await link.banks()).status, 200);
		assert.equal((await link.cancel()).status, 200);
	});

	test("a link has ten connect tokens a minute, and no other link waits for them", async () => {
		const link = await api.consentedLink();
		const tokens = await Promise.all(
			Array.from({ length: 30 }, () => link.connectToken()),
		);
		const given = tokens.filter(({ status }) => status === 200);
		assert.equal(given.length, 10);
		const refused = tokens.filter(
			({ message }) => message === "Too many calls",
		);
		assert.equal(refused.length, 20);
		assert.equal(refused[0]?.status, 429);
		const other = await api.consentedLink();
		assert.equal((await other.connectToken()).status, 200);
	});

	test("a statement of a batch that fails undoes the others", async () => {
		const { database } = api.app;
		const insert =
			"INSERT INTO item (id, seen_at, asked_at) VALUES ($1, $2, $2)";
		await assert.rejects(
			database.batch([
				[insert, "1", "a"],
				[insert, "1", "a"],
			]),
		);
		assert.deepEqual(await database.all("SELECT * FROM item"), []);
		await database.run(insert, "1", "a");
	});

	test("a webhook needs the secret, and our application", async () => {
		await api.stop();
		const env = {
			...fake.settings,
			DATABASE_URL: await newDatabase(),
			PLUGGY_WEBHOOK_SECRET: "current",
		};
		api = await startApi(env);
		const post = async (
			/** @type {string | undefined} */ secret,
			/** @type {object} */ body,
		) => {
			const answer = await fetch(`${api.url}/hooks/pluggy`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					...(secret === undefined ? {} : { "x-hook-secret": secret }),
				},
				body: JSON.stringify(body),
			});
			return answer.status;
		};
		const event = { eventId: "1", event: "item/updated", itemId: randomUUID() };
		/** @type {[string | undefined, object, number][]} */
		const cases = [
			["current", { ...event, clientId: CLIENT_ID }, 200],
			["current", { ...event, clientId: null }, 200],
			["current", { ...event, itemId: { odd: 1 } }, 200],
			["current", { ...event, eventId: "\0", itemId: "\0" }, 200],
			["current", { ...event, clientId: randomUUID() }, 401],
			["other", event, 401],
			["", event, 401],
			[undefined, event, 401],
			["current", [event], 422],
			// As many transactions as Pluggy names at once.
			[
				"current",
				{ ...event, transactionIds: Array.from({ length: 400 }, randomUUID) },
				200,
			],
		];
		for (const [secret, body, status] of cases)
			assert.equal(
				await post(secret, body),
				status,
				`${secret} ${JSON.stringify(body).slice(0, 200)}`,
			);
	});

	test("without a secret no webhook is accepted", async () => {
		const answer = await fetch(`${api.url}/hooks/pluggy`, {
			method: "POST",
			headers: { "x-hook-secret": "", "content-type": "application/json" },
			body: JSON.stringify({ eventId: "1" }),
		});
		assert.equal(answer.status, 401);
	});

	test("the log has no path that is not known, and only our form of a request id", async () => {
		const link = await api.link();
		const headers = { "x-request-id": "0123456789ab\u0085" };
		await link.call("GET", "529.982.247-25/tok", undefined, headers);
		await link.call("POST", "success", { token: link.token });
		const [unknown] = api.lines.filter(({ msg }) => msg === "GET other");
		assert.match(unknown.request, /^req-\w+$/);
		const text = JSON.stringify(api.lines);
		for (const secret of ["529.982", 'tok"', link.token, "12.345.678"])
			assert.ok(!text.includes(secret), secret);
	});
}

test("a document is formatted, if its check digits are right", () => {
	const documents = {
		52998224725: "529.982.247-25",
		"12.345.678/0001-95": "12.345.678/0001-95",
		"12abc34501de35": "12.ABC.345/01DE-35",
		52998224726: undefined,
		"12.345.678/0001-96": undefined,
		"111.111.111-11": undefined,
		123: undefined,
		"": undefined,
	};
	for (const [text, shown] of Object.entries(documents))
		assert.equal(asShown(text), shown, text);
});
