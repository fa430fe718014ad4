/**
 * Jobs: calls to Pluggy that happen after a response. They are rows of a table, so they survive a restart. Any process may add
 * one. One process runs them, one after the other.
 */

/** @import { Database } from "./database.js" */

/** @typedef {"adopt" | "sync" | "delete"} Kind */

/** @typedef {(item: string, claimedBy: string) => Promise<Date | undefined | void>} Handler returns when to run again */

/** Limits of the pause after a failure, which doubles each time. */
const PAUSE_MS = { min: 2_000, max: 3_600_000 };

/** How often to look for jobs that another process has added. */
const POLL_MS = 2_000;

/** How long a job may fail before its failures alert. */
const ALERT_AFTER_MS = 24 * 3_600_000;

/** How often to look for items whose webhook was lost. */
const LOOKOUT_MS = 3_600_000;

/** How late Pluggy's own update of an item must be to count as lost. */
const LATE_MS = 6 * 3_600_000;

export class Jobs {
	#database;
	#now;
	#alert;
	/** @type {Record<Kind, Handler>} */
	#handlers;
	/** @type {Promise<void> | undefined} */
	#running;
	/** @type {NodeJS.Timeout | undefined} */
	#timer;
	/** @type {NodeJS.Timeout | undefined} */
	#lookout;

	/**
	 * @param {Database} database
	 * @param {() => Date} now
	 * @param {(text: string) => void} alert
	 * @param {Record<Kind, Handler>} handlers
	 */
	constructor(database, now, alert, handlers) {
		this.#database = database;
		this.#now = now;
		this.#alert = alert;
		this.#handlers = handlers;
	}

	/**
	 * Adds a job. An existing one runs earlier if `at` is earlier; one that is running runs again.
	 * @param {Kind} kind
	 * @param {string} item
	 * @param {{ claimedBy?: string, at?: Date }} options by default it is due at once
	 */
	add(kind, item, { claimedBy = "", at = this.#now() } = {}) {
		this.#database.run(
			`INSERT INTO job (kind, item, claimed_by, first_at, next_at) VALUES (?, ?, ?, ?, ?)
			ON CONFLICT (kind, item, claimed_by) DO UPDATE
				SET next_at = min(next_at, excluded.next_at), asked = asked + 1`,
			kind,
			item,
			claimedBy,
			this.#now().toISOString(),
			at.toISOString(),
		);
		this.#schedule();
	}

	/** Runs jobs when they are due, until `stop`. */
	start() {
		this.#lookout = setInterval(() => this.lookOut(), LOOKOUT_MS);
		this.#schedule();
	}

	/** Stops after the current job. */
	async stop() {
		clearInterval(this.#lookout);
		clearTimeout(this.#timer);
		this.#lookout = undefined;
		await this.#running;
	}

	/** Adds jobs for items that Pluggy should have updated: their webhook may be lost. */
	lookOut() {
		const late = new Date(this.#now().getTime() - LATE_MS).toISOString();
		const items = this.#database.all(
			"SELECT id FROM item WHERE state = 'active' AND next_auto_sync_at < ?",
			late,
		);
		for (const { id } of items) this.add("adopt", id);
	}

	/** Runs every job that is due. */
	async run() {
		for (;;) {
			const job = this.#database.get(
				"SELECT * FROM job WHERE next_at <= ? ORDER BY next_at, id LIMIT 1",
				this.#now().toISOString(),
			);
			if (job === undefined) return;
			await this.#runOne(job);
		}
	}

	/** @param {any} job */
	async #runOne(job) {
		/** @type {Date | undefined | void} */
		let again;
		let tries = 0;
		let firstAt = this.#now().toISOString();
		try {
			const handle = this.#handlers[/** @type {Kind} */ (job.kind)];
			again = await handle(job.item, job.claimed_by);
		} catch (error) {
			tries = job.tries + 1;
			firstAt = job.first_at;
			const now = this.#now().getTime();
			again = new Date(
				now + Math.min(PAUSE_MS.min * 2 ** (tries - 1), PAUSE_MS.max),
			);
			const text = `${job.kind} of item ${job.item} failed: ${error}`;
			if (now - Date.parse(job.first_at) > ALERT_AFTER_MS) this.#alert(text);
			else console.error(text);
		}
		// If the job was added again meanwhile, `asked` differs, and it stays due.
		if (again === undefined)
			this.#database.run(
				"DELETE FROM job WHERE id = ? AND asked = ?",
				job.id,
				job.asked,
			);
		else
			this.#database.run(
				"UPDATE job SET next_at = ?, tries = ?, first_at = ? WHERE id = ? AND asked = ?",
				again.toISOString(),
				tries,
				firstAt,
				job.id,
				job.asked,
			);
	}

	#schedule() {
		if (this.#lookout === undefined || this.#running !== undefined) return;
		clearTimeout(this.#timer);
		const next = this.#database.get("SELECT min(next_at) AS at FROM job").at;
		const pause =
			next === null ? POLL_MS : Date.parse(next) - this.#now().getTime();
		this.#timer = setTimeout(
			() => {
				this.#running = this.run()
					.catch((error) => this.#alert(`jobs: ${error}`))
					.finally(() => {
						this.#running = undefined;
						this.#schedule();
					});
			},
			Math.min(Math.max(pause, 0), POLL_MS),
		);
	}
}
