/** The database: an SQLite file. libsql has better-sqlite3's interface. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Libsql from "libsql";

const SCHEMA = readFileSync(join(import.meta.dirname, "../schema.sql"), "utf8");

/** Runs statements and transactions. */
export class Database {
	#db;

	/** @param {string} path */
	constructor(path) {
		if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
		this.#db = new Libsql(path);
		// `npm run link` and `npm run leave` write from other processes.
		this.#db.pragma("journal_mode = WAL");
		this.#db.pragma("busy_timeout = 5000");
		this.#db.pragma("foreign_keys = ON");
		checkTables(this.#db);
		this.#db.exec(SCHEMA);
	}

	/**
	 * Returns the first row.
	 * @param {string} sql
	 * @param {unknown[]} values
	 * @returns {any}
	 */
	get(sql, ...values) {
		return this.#db.prepare(sql).get(...values);
	}

	/**
	 * Returns all rows.
	 * @param {string} sql
	 * @param {unknown[]} values
	 * @returns {any[]}
	 */
	all(sql, ...values) {
		return this.#db.prepare(sql).all(...values);
	}

	/**
	 * Changes rows, and returns how many.
	 * @param {string} sql
	 * @param {unknown[]} values
	 */
	run(sql, ...values) {
		return this.#db.prepare(sql).run(...values).changes;
	}

	/**
	 * Runs a transaction. It locks the whole database for writing; elsewhere lock the client's row (`SELECT … FOR UPDATE`).
	 * @template T
	 * @param {() => T} act not async
	 * @returns {T}
	 */
	transaction(act) {
		return this.#db.transaction(act).immediate();
	}

	close() {
		this.#db.close();
	}
}

/**
 * Checks the tables that are there already: `CREATE TABLE IF NOT EXISTS` would keep one of another program.
 * @param {Libsql.Database} db
 */
function checkTables(db) {
	const ours = new Libsql(":memory:");
	ours.exec(SCHEMA);
	const expected = columnsOf(ours);
	ours.close();
	const found = columnsOf(db);
	for (const [table, columns] of expected) {
		const missing = columns.find((name) => !found.get(table)?.includes(name));
		if (found.has(table) && missing !== undefined)
			throw new Error(
				`the table ${table} has no column ${missing}: it is another program's, or of an older schema.sql`,
			);
	}
}

/**
 * Returns the names of all columns, by table.
 * @param {Libsql.Database} db
 * @returns {Map<string, string[]>}
 */
function columnsOf(db) {
	const rows = db
		.prepare(
			`SELECT tables.name AS "table", columns.name AS "column"
			FROM sqlite_master tables, pragma_table_info(tables.name) columns WHERE tables.type = 'table'`,
		)
		.all();
	const map = new Map();
	for (const { table, column } of /** @type {any[]} */ (rows))
		map.set(table, [...(map.get(table) ?? []), column]);
	return map;
}
