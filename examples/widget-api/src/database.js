/** The database: one SQLite file, by libsql, which has better-sqlite3's interface. */
import { mkdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import Libsql from "libsql";

const SCHEMA = readFileSync(join(import.meta.dirname, "../schema.sql"), "utf8");

/** Statements and transactions, with rows as plain objects. */
export class Database {
	#db;

	/** @param {string} path */
	constructor(path) {
		if (path !== ":memory:") mkdirSync(dirname(path), { recursive: true });
		this.#db = new Libsql(path);
		// Another process may write too: `npm run link`.
		this.#db.pragma("journal_mode = WAL");
		this.#db.pragma("busy_timeout = 5000");
		this.#db.pragma("foreign_keys = ON");
		this.#db.exec(SCHEMA);
	}

	/**
	 * The first row.
	 * @param {string} sql
	 * @param {unknown[]} values
	 * @returns {any}
	 */
	get(sql, ...values) {
		return this.#db.prepare(sql).get(...values);
	}

	/**
	 * All rows.
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
	 * All or nothing. It locks the database for writing, which other databases do with the client's row
	 * (`SELECT … FOR UPDATE`).
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
