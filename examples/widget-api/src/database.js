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
