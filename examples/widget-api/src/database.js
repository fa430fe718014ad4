/**
 * The database: an SQLite file, or PostgreSQL. Both run the same SQL, with `$1`, `$2`, … for the values. Values are texts,
 * numbers and null.
 */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import Libsql from "libsql";
import pg from "pg";

const SCHEMA = readFileSync(join(import.meta.dirname, "../schema.sql"), "utf8");

/** The names of the tables, each with its columns. @type {[string, string[]][]} */
const TABLES = [
	...SCHEMA.matchAll(/CREATE TABLE IF NOT EXISTS (\w+) \((.*?)\n\);/gs),
].map(([, table = "", body = ""]) => [
	table,
	[...body.matchAll(/^\t([a-z]\w*) /gm)].map(([, column = ""]) => column),
]);

/** What may be a path: an address of another database would become a file, and its password a part of the file's name. */
const PATH = /^(:memory:|file:.*|([a-z]:)?[^:;=]+)$/i;

/** How long to wait while another process writes to the SQLite file. */
const BUSY_MS = 3_000;

/** How long a statement waits for a lock of PostgreSQL. Meanwhile it keeps a connection, of which there are ten. */
const LOCK_MS = 500;

/** @typedef {string | number | null} Value */
/** @typedef {[sql: string, ...values: Value[]]} Statement */

/**
 * @typedef {object} Database
 * @property {(sql: string, ...values: Value[]) => Promise<any[]>} all returns all rows
 * @property {(sql: string, ...values: Value[]) => Promise<any>} get returns the first row, or undefined
 * @property {(sql: string, ...values: Value[]) => Promise<number>} run returns how many rows have changed
 * @property {(statements: Statement[]) => Promise<void>} batch runs all statements or none
 * @property {() => Promise<void>} purge removes deleted values from the files, too
 * @property {() => Promise<void>} close
 */

/**
 * Opens the database, and creates the tables that are missing.
 * @throws {Error} if the address is of another database, or a table lacks a column, as that of an older version does
 * @param {string} address `postgres://…`, a path, or `:memory:`. A relative path begins beside `src`
 * @returns {Promise<Database>}
 */
export async function openDatabase(address) {
	const isPostgres = /^postgres(ql)?:\/\//.test(address);
	if (!isPostgres && !PATH.test(address))
		throw new Error(
			"DATABASE_URL is neither postgres://… nor the path of an SQLite file",
		);
	const database = await (isPostgres ? openPostgres : openSqlite)(address);
	for (const [table, columns] of TABLES)
		try {
			await database.all(`SELECT ${columns} FROM ${table} LIMIT 0`);
		} catch (cause) {
			await database.close();
			const { message } = /** @type {Error} */ (cause);
			throw new Error(
				`The table ${table} is not the one of schema.sql: ${message}`,
				{ cause },
			);
		}
	return database;
}

/** @param {string} address @returns {Promise<Database>} */
async function openPostgres(address) {
	const pool = new pg.Pool({
		connectionString: address,
		connectionTimeoutMillis: 5_000,
		query_timeout: 10_000,
		lock_timeout: LOCK_MS,
		// A failed start ends the process.
		allowExitOnIdle: true,
	});
	// A connection that breaks while it is idle. The next query opens another.
	pool.on("error", () => {});
	await createTables(pool);
	/** @type {Database["all"]} */
	const all = async (sql, ...values) => (await pool.query(sql, values)).rows;
	return {
		all,
		get: async (sql, ...values) => (await all(sql, ...values))[0],
		run: async (sql, ...values) =>
			(await pool.query(sql, values)).rowCount ?? 0,
		async batch(statements) {
			const client = await pool.connect();
			/** @type {Error | undefined} */
			let broken;
			try {
				await client.query("BEGIN");
				for (const [sql, ...values] of statements)
					await client.query(sql, values);
				await client.query("COMMIT");
			} catch (error) {
				await client.query("ROLLBACK").catch((cause) => (broken = cause));
				throw error;
			} finally {
				client.release(broken);
			}
		},
		// By autovacuum, later.
		purge: async () => {},
		close: () => pool.end(),
	};
}

/**
 * Creates the tables that PostgreSQL does not have. If it has all, the role needs no right to create any.
 * @param {pg.Pool} pool
 */
async function createTables(pool) {
	const { rows } = await pool.query(
		"SELECT name FROM unnest($1::text[]) AS name WHERE to_regclass(name) IS NULL",
		[TABLES.map(([table]) => table)],
	);
	if (rows.length === 0) return;
	try {
		// Two processes that start together must not create the same table twice.
		await pool.query(`SELECT pg_advisory_xact_lock(4711); ${SCHEMA}`);
	} catch (cause) {
		const names = rows.map(({ name }) => name).join(", ");
		throw new Error(
			`These tables are missing and cannot be created: ${names} (${cause}). Run schema.sql as a role that may create them.`,
			{ cause },
		);
	}
}

/** @param {string} url @returns {Promise<Database>} */
async function openSqlite(url) {
	const isFile = url !== ":memory:";
	const name = url.replace(/^file:(\/\/)?/, "");
	const path = isFile ? resolve(import.meta.dirname, "..", name) : url;
	if (isFile) mkdirSync(dirname(path), { recursive: true });
	const db = new Libsql(path);
	/** @param {string} sql @param {Value[]} values */
	const prepare = (sql, values) => {
		// libsql would end the process.
		for (const value of values)
			if (value !== null && !["string", "number"].includes(typeof value))
				throw new TypeError(`a value of the type ${typeof value}`);
		return db.prepare(sql.replace(/\$(\d+)/g, "?$1"));
	};
	db.pragma("foreign_keys = ON");
	db.pragma("secure_delete = ON");
	await unlessBusy(() => {
		db.pragma("journal_mode = WAL");
		db.exec(SCHEMA);
	});
	/** @type {Database["all"]} */
	const all = (sql, ...values) =>
		unlessBusy(() => prepare(sql, values).all(values));
	/** Moves the write-ahead log into the file, and empties it. */
	const purge = () =>
		unlessBusy(() => {
			/** @type {any} */
			const state = db.prepare("PRAGMA wal_checkpoint(TRUNCATE)").get();
			if (state.busy === 0) return;
			const error = new Error(
				"Another process reads the SQLite file: its -wal has the deleted data until the API stops",
			);
			throw Object.assign(error, { code: "SQLITE_BUSY" });
		});
	return {
		all,
		get: async (sql, ...values) => (await all(sql, ...values))[0],
		run: (sql, ...values) =>
			unlessBusy(() => prepare(sql, values).run(values).changes),
		batch: (statements) =>
			unlessBusy(() => {
				db.exec("BEGIN IMMEDIATE");
				try {
					for (const [sql, ...values] of statements)
						prepare(sql, values).run(values);
					db.exec("COMMIT");
				} catch (error) {
					// Some errors have ended the transaction, as a full disk does.
					if (db.inTransaction) db.exec("ROLLBACK");
					throw error;
				}
			}),
		purge,
		async close() {
			// Another process may read or write: its own end does it.
			await purge().catch(() => {});
			db.close();
		},
	};
}

/**
 * Runs statements of SQLite, which blocks the process. While another process writes, other requests go on.
 * @template T
 * @param {() => T} act
 * @returns {Promise<T>}
 */
async function unlessBusy(act) {
	const end = performance.now() + BUSY_MS;
	for (;;) {
		try {
			return act();
		} catch (error) {
			const { code } = /** @type {{ code?: string }} */ (error);
			if (!code?.startsWith("SQLITE_BUSY") || performance.now() > end)
				throw error;
			await pause(20);
		}
	}
}
