/** A refusal. `status` is HTTP's and `meta`'s; 404 is for an unknown token or item only. */
export class Refusal extends Error {
	/**
	 * @param {number} status
	 * @param {string} message
	 */
	constructor(status, message) {
		super(message);
		this.status = status;
	}
}

/**
 * Refuses an id or document in a body that is not the link's own.
 * @param {boolean} isRight
 * @param {string} what
 */
export function require(isRight, what) {
	if (!isRight) throw new Refusal(403, `${what} is not of this link`);
}
