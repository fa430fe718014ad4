/**
 * The ids of all items, in a file outside the database. Pluggy does not list items, so a connection whose id is lost can
 * never be deleted. Back the file up separately.
 */
import {
	closeSync,
	fsyncSync,
	openSync,
	readFileSync,
	writeSync,
} from "node:fs";

export class Ledger {
	/** @type {number | undefined} */
	#file;
	/** @type {Set<string>} */
	#known = new Set();
	#now;

	/**
	 * @param {string | undefined} path none for a database in memory
	 * @param {() => Date} now
	 */
	constructor(path, now) {
		this.#now = now;
		if (path === undefined) return;
		this.#file = openSync(path, "a", 0o600);
		for (const line of readFileSync(path, "utf8").split("\n"))
			this.#known.add(line.split(" ").slice(1).join(" "));
	}

	/**
	 * @param {string} item
	 * @param {string} client
	 */
	add(item, client) {
		this.#write(`+ ${item} ${client}`.trimEnd());
	}

	/** @param {string} item */
	gone(item) {
		this.#write(`- ${item}`);
	}

	/** @param {string} line */
	#write(line) {
		if (this.#known.has(line)) return;
		this.#known.add(line);
		if (this.#file === undefined) return;
		writeSync(this.#file, `${this.#now().toISOString()} ${line}\n`);
		fsyncSync(this.#file);
	}

	close() {
		if (this.#file !== undefined) closeSync(this.#file);
	}
}
