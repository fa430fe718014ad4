/** A refusal. `status` is the HTTP status and `meta.status`. Use 404 only for an unknown token or item. */
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
 * Refuses a body whose id or document is not the link's own.
 * @param {boolean} isRight
 * @param {string} what
 */
export function require(isRight, what) {
	if (!isRight) throw new Refusal(403, `${what} is not of this link`);
}
