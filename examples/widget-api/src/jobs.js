/**
 * Jobs: what has to happen at Pluggy after a call was answered. They are rows of a table, so that a restart loses none. One
 * process runs them, one after the other.
 */

/** @import { Database } from "./database.js" */

/** @typedef {"adopt" | "sync" | "delete"} Kind */

/** @typedef {(item: string, claimedBy: string) => Promise<Date | undefined | void>} Handler returns when to run again */

/** Pauses after failures: doubled each time. */
const PAUSE_MS = { min: 2_000, max: 3_600_000 };

/** From then on each failure of a job alerts. */
const ALERT_AFTER_MS = 24 * 3_600_000;

/** How often items are looked for whose webhook was lost. */
const LOOKOUT_MS = 3_600_000;

/** How late Pluggy's own sync of an item has to be. */
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
	 * Adds a job. One that is there already moves forward; one that runs, runs once more.
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

	/** Runs jobs from now on, until `stop`. */
	start() {
		this.#lookout = setInterval(() => this.lookOut(), LOOKOUT_MS);
		this.#schedule();
	}

	/** Ends after the job that runs. */
	async stop() {
		clearInterval(this.#lookout);
		clearTimeout(this.#timer);
		this.#lookout = undefined;
		await this.#running;
	}

	/** Against lost webhooks: reads the items again which Pluggy should have updated. */
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
		// Asked for meanwhile, it stays as it is: due.
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
		if (next === null) return;
		const pause = Math.max(Date.parse(next) - this.#now().getTime(), 0);
		this.#timer = setTimeout(
			() => {
				this.#running = this.run()
					.catch((error) => this.#alert(`jobs: ${error}`))
					.finally(() => {
						this.#running = undefined;
						this.#schedule();
					});
			},
			Math.min(pause, LOOKOUT_MS),
		);
	}
}
