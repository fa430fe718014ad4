/** The API as a process that is started, stopped and killed, and its commands. */
import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
	copyFileSync,
	existsSync,
	readFileSync,
	rmSync,
	writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { after, afterEach, describe, test } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import Libsql from "libsql";
import { openDatabase } from "../src/database.js";
import { skipPostgres, startPostgres } from "./databases.js";
import { FakePluggy } from "./fake-pluggy.js";
import {
	DOCUMENTS,
	FOLDER,
	newFile,
	newLink,
	open,
	run,
	startProgram,
} from "./program.js";
import { until } from "./until.js";

const fake = await new FakePluggy().start();
after(() => fake.stop());
afterEach(() => {
	fake.delayMs = 0;
	fake.outage = undefined;
	fake.onRequest = async () => {};
	fake.items.clear();
	fake.requests = [];
});

/** The settings of an API on the fake. @param {string} DATABASE_URL */
const settingsOf = (DATABASE_URL) => ({
	...fake.settings,
	PLUGGY_WEBHOOK_SECRET: "current",
	DATABASE_URL,
});

/** Starts the API, with a link whose client has consented. @param {Parameters<typeof startProgram>[1]} options */
async function started(options = {}) {
	const path = await newFile();
	const env = settingsOf(path);
	const program = await startProgram(env, options);
	const link = await open(program.url, await newLink(env));
	await link.consent();
	return { env, path, program, link, client: link.client.uuid };
}

/** An item with an account. @param {string} client */
function newItem(client, more = {}) {
	const item = fake.addItem(client);
	fake.addAccount(item.id, more);
	return item;
}

/** @param {string} url @param {string} id */
const notify = (url, id) =>
	fake.notify(`${url}/hooks/pluggy`, "item/updated", id, {
		headers: { "x-hook-secret": "current" },
	});

/** @param {import("./link-calls.js").LinkCalls} link @param {number} count */
const untilRows = (link, count) =>
	until(async () => (await link.rows()).length === count);

describe("on SQLite", () => suite(newFile));
describe("on PostgreSQL", { skip: skipPostgres }, () => {
	const newDatabase = startPostgres();
	suite(newDatabase);

	test("two processes share the database: nothing is lost, and both see it", async () => {
		const env = settingsOf(await newDatabase());
		const programs = await Promise.all([startProgram(env), startProgram(env)]);
		const tokens = await Promise.all(DOCUMENTS.map((one) => newLink(env, one)));
		/** @type {import("./link-calls.js").LinkCalls[]} */
		const links = [];
		for (const { url } of programs)
			for (const token of tokens) {
				const link = await open(url, token);
				await link.consent();
				links.push(link);
			}
		const numbers = Array.from({ length: 12 }, (_, index) => index);
		await Promise.all(
			numbers.flatMap((number) => {
				const link = links[number % 2];
				const place = { number: `0001/${number}`, bankData: null };
				const { id } = newItem(link?.client.uuid ?? "", place);
				return links
					.filter(({ token }) => token === link?.token)
					.flatMap((one) => [one.success(id), notify(one.url, id)]);
			}),
		);
		await Promise.all(links.map((link) => untilRows(link, 6)));
		// The client of the first and the third link cancels in both processes, while one of them is killed.
		fake.delayMs = 300;
		const ends = [links[0]?.cancel(), links[2]?.cancel().catch(() => {})];
		await pause(200);
		await programs[1]?.kill();
		assert.equal((await ends[0])?.status, 200);
		await ends[1];
		assert.equal(fake.items.size, 6);
		assert.deepEqual(await links[0]?.rows(), []);
		assert.equal((await links[1]?.rows())?.length, 6);
	});
});

/** @param {() => Promise<string>} newDatabase */
function suite(newDatabase) {
	/** The request to Pluggy that never ends, and how many of them end before. @type {[string, string, number][]} */
	const moments = [
		["while it reads an item", "GET /items", 0],
		["while it reads the accounts", "GET /accounts", 0],
		["while two items are deleted", "DELETE /items", 0],
		["between two deletions", "DELETE /items", 1],
	];
	for (const [moment, request, before] of moments)
		test(`killed ${moment}, it goes on after the next start`, async () => {
			const env = settingsOf(await newDatabase());
			const program = await startProgram(env);
			const token = await newLink(env);
			const link = await open(program.url, token);
			await link.consent();
			const { uuid } = link.client;
			const other = { number: "0001/2", bankData: null };
			const [one, two] = [newItem(uuid), newItem(uuid, other)];
			const isEnd = request === "DELETE /items";
			if (isEnd) {
				await Promise.all([link.success(one.id), link.success(two.id)]);
				await untilRows(link, 2);
			}
			let count = 0;
			fake.onRequest = async (name) => {
				if (name !== request) return;
				count += 1;
				if (count > before) await new Promise(() => {});
			};
			const cancelled = isEnd && assert.rejects(link.cancel());
			if (!isEnd) {
				assert.equal((await link.success(one.id)).status, 200);
				assert.equal(await notify(program.url, two.id), 200);
			}
			await until(() => count > before && fake.items.size === 2 - before);
			await program.kill();
			await cancelled;
			fake.onRequest = async () => {};
			const next = await startProgram(env);
			const again = await open(next.url, token);
			if (isEnd) await until(() => fake.items.size === 0);
			await untilRows(again, isEnd ? 0 : 2);
			if (isEnd) assert.equal((await again.cancel()).status, 200);
		});
}

test("the commands make links of each kind", async () => {
	const { env, link, client } = await started();
	const more = { ...env, VINCULA_URL: "https://vincula.example.com" };
	const cnpj = ["--cnpj", "12345678000195"];
	const { stdout } = await run(more, "link", ...cnpj);
	assert.match(
		stdout,
		/^https:\/\/vincula\.example\.com\/\?token=[\w-]{43}\n$/,
	);
	const none = await run(env, "link", ...cnpj, "--type", "update");
	assert.match(none.stderr, /the item is not a bank connection/);
	const { id } = newItem(client);
	await link.success(id);
	await untilRows(link, 1);
	const update = ["--item", id, "--type", "update", "--replace"];
	assert.equal((await run(env, "link", ...update)).code, 0);
	assert.equal((await link.validate()).message, "Link revoked");
	/** @type {[string[], RegExp][]} */
	const cases = [
		[["--client", "Ana"], /--cnpj or --cpf is missing/],
		[["--cpf", "52998224725"], /no client has this document/],
		[["--client", "Ana", "--cpf", "52998224726"], /digits are wrong/],
		[["--client", "Ana", "--cpf", "52998224725", "--type", "x"], /none of new/],
		[["--client", "Ana", "--cpf", "52998224725", "--days", "x"], /no number/],
		[["--type", "update", "--item", randomUUID()], /no client has this/],
	];
	for (const [options, reason] of cases) {
		const { code, stderr } = await run(env, "link", ...options);
		assert.equal(code, 2);
		assert.match(stderr, reason);
		assert.match(stderr, /usage:/);
	}
});

test("all clients are listed in words, with the command that helps", async () => {
	const { env, link, client, program } = await started();
	const lines = async (/** @type {string[]} */ ...options) => {
		const { code, stdout } = await run(env, "clients", ...options);
		return { code, stdout, lines: stdout.trim().split("\n") };
	};
	const today = new Date().toISOString().slice(0, 10);
	const cpf = ["--cpf", "52998224725"];
	await run(env, "link", ...cpf, "--client", "=Ana", "--days=-1");
	const before = await lines();
	assert.equal(before.code, 0);
	assert.match(before.stdout, /^=Ana \| 529.982.247-25 \| link ended on 20/);
	assert.match(
		before.stdout,
		new RegExp(`Padaria .* \\| consented on ${today}$`, "m"),
	);
	const { id } = newItem(client);
	const consentExpiresAt = new Date("2099-01-02T00:00:00.000Z");
	const lastUpdatedAt = new Date();
	fake.moveItem(id, "updated", { consentExpiresAt, lastUpdatedAt });
	await link.success(id);
	await untilRows(link, 1);
	assert.equal((await lines()).code, 0);
	fake.moveItem(id, "loginError");
	await notify(program.url, id);
	await until(() => program.output().includes("LOGIN_ERROR"));
	const { code, stdout } = await lines();
	assert.equal(code, 1);
	const facts = `LOGIN_ERROR/INVALID_CREDENTIALS | last update ${today} | consent until 2099-01-02`;
	assert.ok(
		stdout.includes(`Nubank | ${id} | ${facts} | the bank refuses the login`),
	);
	const [, options = ""] = /npm run link -- (.*)/.exec(stdout) ?? [];
	const made = await run(env, "link", ...options.split(" "));
	assert.match(made.stdout, /\?token=/);
	const csv = await lines("--csv");
	assert.match(csv.lines[0] ?? "", /^"'=Ana";"529.982.247-25";"link ended on/);
	assert.match(
		csv.lines[1] ?? "",
		/^"Padaria";.*;"npm run link -- --type update/,
	);
	// It is gone: a new link is for the item's client, without a document.
	fake.items.delete(id);
	await notify(program.url, id);
	await until(() => program.output().includes("gone at Pluggy"));
	const gone = await lines();
	assert.equal(gone.code, 1);
	const [, words = ""] =
		/gone at Pluggy \| npm run link -- (.*)/.exec(gone.stdout) ?? [];
	const anew = await run(env, "link", ...words.split(" "));
	assert.match(anew.stdout, /\?token=/);
	await link.cancel();
	assert.match(
		(await lines()).stdout,
		new RegExp(`Padaria .* \\| cancelled on ${today}$`, "m"),
	);
});

test("the commands end a client with all connections, and erase the client's data", async () => {
	const { env, path, link, client, program } = await started();
	const item = newItem(client);
	newItem(client);
	for (const id of fake.items.keys()) await link.success(id);
	await untilRows(link, 1);
	const refused = await run(env, "delete", "--item", item.id);
	assert.match(refused.stderr, /no bank connection without accounts/);
	const cnpj = ["--cnpj", "12345678000195"];
	assert.match((await run(env, "erase", ...cnpj)).stderr, /end them first/);
	// Your own system knows first that the client has left.
	const system = new Libsql(path);
	system.exec("UPDATE client SET is_active = 0");
	system.close();
	const { code, stdout } = await run(env, "clients");
	assert.equal(code, 1);
	const [, options = ""] =
		/has left \| npm run leave -- (.*)/.exec(stdout) ?? [];
	const left = await run(env, "leave", ...options.split(" "));
	assert.match(left.stdout, /: 2\n$/);
	assert.equal(fake.items.size, 0);
	assert.equal((await link.validate()).message, "Client not active");
	assert.match((await run(env, "leave", ...cnpj)).stdout, /: 0\n$/);
	assert.equal((await run(env, "erase", ...cnpj)).code, 0);
	assert.equal((await link.validate()).message, "Token not found");
	// A login that had begun before makes an item that nobody's cancellation reaches.
	const late = newItem(client);
	await notify(program.url, late.id);
	await until(() => program.output().includes("of no client"));
	const remaining = await run(env, "clients");
	assert.equal(remaining.code, 1);
	const [, rest = ""] =
		/no client here \| npm run delete -- (.*)/.exec(remaining.stdout) ?? [];
	assert.equal((await run(env, "delete", ...rest.split(" "))).code, 0);
	assert.equal(fake.items.size, 0);
	assert.equal((await run(env, "clients")).code, 0);
});

test("while Pluggy is down a client leaves, and the connections follow", async () => {
	const { env, link } = await started();
	const item = newItem(link.client.uuid);
	await link.success(item.id);
	await untilRows(link, 1);
	const cnpj = ["--cnpj", "12345678000195"];
	fake.outage = { status: 403, body: { codeDescription: "DOWN" } };
	const { code, stdout, stderr } = await run(env, "leave", ...cnpj);
	assert.equal(code, 1);
	assert.match(
		stdout,
		/^The client is not active any more\. Not all .*: Pluggy answers 403 DOWN\. The API that runs tries again every minute\n$/,
	);
	assert.doesNotMatch(stderr, /usage:/);
	assert.equal((await link.validate()).message, "Client not active");
	assert.ok(fake.items.has(item.id));
	fake.outage = undefined;
	const next = await startProgram(env);
	await until(() => fake.items.size === 0);
	await next.stop();
});

test("after erase nothing of the client is in the files of SQLite, while the program runs", async () => {
	const { env, path, link, program } = await started();
	const account = { owner: "Maria", bankData: null, number: "0001/77665-4" };
	const { id } = newItem(link.client.uuid, account);
	await link.success(id);
	await untilRows(link, 1);
	const cnpj = ["--cnpj", "12345678000195"];
	const files = () =>
		["", "-wal"].map((end) => readFileSync(path + end, "latin1")).join("");
	const personal = ["Padaria", "12.345.678/0001-95", "Maria", "77665-4", id];
	for (const text of personal) assert.ok(files().includes(text), text);
	assert.equal((await run(env, "leave", ...cnpj)).code, 0);
	assert.equal((await run(env, "erase", ...cnpj)).code, 0);
	for (const text of personal) assert.ok(!files().includes(text), text);
	assert.equal(program.child.exitCode, null);
});

test("after the end the file of SQLite alone has all data", async () => {
	const { path, link, program } = await started();
	await link.success(newItem(link.client.uuid).id);
	await untilRows(link, 1);
	await program.stop();
	const copy = await newFile();
	copyFileSync(path, copy);
	const database = new Libsql(copy);
	assert.equal(database.prepare("SELECT * FROM account").all().length, 1);
	database.close();
});

const skipDisk =
	spawnSync("prlimit", ["--version"]).status !== 0 && "there is no prlimit";

test("while the disk is full Pluggy is not flooded, and nothing is lost", {
	skip: skipDisk,
}, async () => {
	const { link, client, program } = await started();
	const limitFiles = (/** @type {string} */ bytes) => {
		const pid = String(program.child.pid);
		execFileSync("prlimit", ["--pid", pid, `--fsize=${bytes}:`]);
	};
	fake.delayMs = 500;
	assert.equal((await link.success(newItem(client).id)).status, 200);
	await pause(100);
	limitFiles("1");
	fake.requests = [];
	fake.delayMs = 0;
	await pause(4_000);
	assert.ok(fake.requests.length < 5, `${fake.requests.length}`);
	// What cannot be stored is not accepted, so the browser keeps it.
	const late = newItem(client, { number: "0001/2", bankData: null });
	assert.equal((await link.success(late.id)).status, 500);
	assert.equal(await notify(program.url, late.id), 500);
	limitFiles("unlimited");
	assert.equal((await link.success(late.id)).status, 200);
	await untilRows(link, 2);
});

test("SIGTERM ends it, whoever is connected", async () => {
	const { link, client, program } = await started();
	const port = Number(new URL(program.url).port);
	for (const half of [
		"POST /log HTTP/1.1\r\nhost: a\r\n",
		"POST /log HTTP/1.1\r\nhost: a\r\ncontent-length: 9\r\n\r\n{",
	])
		connect(port, "127.0.0.1")
			.on("error", () => {})
			.write(half);
	fake.onRequest = () => new Promise(() => {});
	for (let count = 0; count < 10; count += 1)
		await link.success(newItem(client).id);
	void link.connectToken().catch(() => {});
	await pause(200);
	await program.stop();
	assert.equal(program.child.exitCode, 0);
});

test("a writer that holds the SQLite file delays no reader", async () => {
	const { link, client, path } = await started();
	await link.success(newItem(client).id);
	await untilRows(link, 1);
	const writer = new Libsql(path);
	writer.exec("BEGIN IMMEDIATE");
	const written = link.log("pluggy-getConnectToken-request", {});
	await pause(50);
	assert.equal((await link.rows()).length, 1);
	writer.exec("COMMIT");
	writer.close();
	assert.equal((await written).status, 200);
});

for (const minutes of [-10, 10, 180])
	test(`a clock that is ${minutes} minutes ahead deletes nothing, and asks for no more keys`, async () => {
		const clockMs = minutes * 60_000;
		const { env, link, program } = await started({ clockMs });
		await link.cancel();
		const NODE_OPTIONS = `--import=${import.meta.dirname}/clock.js`;
		const CLOCK_MS = String(clockMs);
		const token = await newLink({ ...env, NODE_OPTIONS, CLOCK_MS });
		const next = await open(program.url, token);
		await next.consent();
		const { id } = newItem(next.client.uuid);
		await next.success(id);
		await untilRows(next, 1);
		assert.ok(fake.items.has(id));
		assert.equal(fake.count("POST /auth"), 1);
	});

test("a log that nobody reads ends nothing", async () => {
	const { link, program } = await started();
	program.child.stdout.destroy();
	program.child.stderr.destroy();
	for (let count = 0; count < 5; count += 1) {
		assert.equal((await link.validate()).status, 200);
		await link.success(randomUUID());
		await pause(50);
	}
	assert.equal(program.child.exitCode, null);
});

test("a setting that is missing or wrong stops the start, and is named", async () => {
	const DATABASE_URL = await newFile();
	const env = { ...fake.settings, DATABASE_URL };
	/** @type {[Record<string, string>, RegExp][]} */
	const cases = [
		[{ ...env, FIRM_ID: "abc" }, /FIRM_ID is no whole number/],
		[{ ...env, PLUGGY_CLIENT_SECRET: "" }, /PLUGGY_CLIENT_SECRET is missing/],
		[{}, /PLUGGY_CLIENT_SECRET is missing; `npm run demo` needs neither/],
		[{ ...env, PORT: new URL(fake.url).port }, /EADDRINUSE/],
	];
	for (const [wrong, reason] of cases)
		await assert.rejects(startProgram(wrong), reason);
	const other = new Libsql(DATABASE_URL);
	other.exec(
		"DROP TABLE IF EXISTS account; CREATE TABLE account (number TEXT)",
	);
	other.close();
	await assert.rejects(startProgram(env), /no such column: item/);
});

test("a table without one of its columns stops the start, and the column is named", async () => {
	const path = await newFile();
	await (await openDatabase(path)).close();
	const older = new Libsql(path);
	/** @type {any[]} */
	const columns = older
		.prepare(
			`SELECT t.name AS "table", c.name FROM sqlite_master t, pragma_table_info(t.name) c WHERE t.type = 'table'`,
		)
		.all();
	assert.ok(columns.length > 40);
	for (const { table, name } of columns) {
		older.exec(`ALTER TABLE ${table} RENAME COLUMN ${name} TO older`);
		await assert.rejects(openDatabase(path), {
			message: `The table ${table} is not the one of schema.sql: no such column: ${name}`,
		});
		older.exec(`ALTER TABLE ${table} RENAME COLUMN older TO ${name}`);
	}
	older.close();
	await (await openDatabase(path)).close();
});

test("an address of another database is refused, and its password is not repeated", async () => {
	for (const address of [
		"mysql://app:s3nha@127.0.0.1:3306/firm",
		"sqlserver://127.0.0.1;user=app;password=s3nha",
		"Server=127.0.0.1;User Id=app;Password=s3nha",
		"jdbc:postgresql://127.0.0.1/firm?password=s3nha",
		"Postgres://app:s3nha@127.0.0.1/firm",
		" postgres://app:s3nha@127.0.0.1/firm",
		"postgres:/app:s3nha@127.0.0.1/firm",
	])
		await assert.rejects(openDatabase(address), {
			message:
				"DATABASE_URL is neither postgres://… nor the path of an SQLite file",
		});
});

test("a relative path of the database begins beside the code, wherever the start is", async () => {
	const name = `data/${randomUUID()}.db`;
	await startProgram({ ...fake.settings, DATABASE_URL: name });
	assert.ok(existsSync(join(FOLDER, name)));
});

test("the file .env beside the code is read, wherever the start is", async () => {
	const file = join(FOLDER, ".env");
	const settings = Object.entries(settingsOf(await newFile()));
	writeFileSync(file, settings.map((pair) => pair.join("=")).join("\n"));
	try {
		const program = await startProgram({});
		const link = await open(program.url, await newLink({}));
		assert.equal((await link.consent()).status, 200);
	} finally {
		rmSync(file);
	}
});

test("the demo starts on the fake, whatever the settings are, with links of each kind", async () => {
	const path = await newFile();
	const env = { ...settingsOf(path), PLUGGY_CLIENT_ID: "of-the-firm" };
	const program = await startProgram(env, { script: "test/demo.js" });
	const token = /update .*token=(\S+)/.exec(program.output())?.[1] ?? "";
	const document = DOCUMENTS[0] ?? "";
	const link = await open(program.url, { token, document });
	assert.equal((await link.rows()).length, 1);
	assert.equal((await link.cancel()).status, 200);
	assert.deepEqual(await link.rows(), []);
	assert.equal(existsSync(path), false);
	assert.deepEqual(fake.requests, []);
});
