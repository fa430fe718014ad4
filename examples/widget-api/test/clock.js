/** Sets the clock of a process: `CLOCK_MS=600000 node --import ./clock.js …` is ten minutes ahead. */
const offset = Number(process.env.CLOCK_MS);
const RealDate = Date;
globalThis.Date = /** @type {any} */ (
	class extends RealDate {
		/** @param {any[]} values */
		constructor(...values) {
			super(.../** @type {[any]} */ (values.length ? values : [Date.now()]));
		}

		/** @override */
		static now() {
			return RealDate.now() + offset;
		}
	}
);
