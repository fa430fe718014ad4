/**
 * Checks the bodies and headers of the calls against docs/widget-api.openapi.yaml. Anything else is refused with 422, also an
 * unknown key: it comes from another version of the contract.
 */
import { isIP } from "node:net";
import { Refusal } from "./refusal.js";

/** @typedef {(value: any) => boolean} Check */

/** @type {Check} */
const isText = (value) => typeof value === "string" && value !== "";
/** @type {Check} */
const isId = (value) => isText(value) || Number.isInteger(value);
/** @type {Check} */
const isIdOrNull = (value) => value === null || isId(value);
/** @type {(...values: string[]) => Check} */
const isOneOf =
	(...values) =>
	(value) =>
		values.includes(value);

/** @type {Check} */
function isJson(value) {
	try {
		JSON.parse(value);
		return typeof value === "string";
	} catch {
		return false;
	}
}

/** The keys of each body. A `?` marks an optional one. Other calls have no body. */
const BODIES = /** @type {Record<string, Record<string, Check>>} */ ({
	"POST /validate-token": {
		token: isText,
		"no_validate?": isOneOf("of-success"),
	},
	"POST /authorize-customer": { customer_id: isId },
	"POST /connect-token": { link_id: isIdOrNull, client_uuid: isIdOrNull },
	"PUT /update-link-account": {
		link: (value) => isText(value) && value.length <= 128,
	},
	"POST /log": {
		type: isOneOf(
			"pluggy-getConnectToken-request",
			"pluggy-getConnectToken-response",
			"pluggy-widget-success",
			"pluggy-widget-error",
		),
		status: isOneOf("SUCCESS", "ERROR"),
		data_log: isJson,
	},
	"POST /success": { token: isText },
	"POST /cancel-integrations": { cpfcnpj: isText },
});

/**
 * Parses the body of a call.
 * @param {string} call
 * @param {string} text
 * @returns {any}
 */
export function parseBody(call, text) {
	const keys = BODIES[call];
	if (keys === undefined) return undefined;
	let body;
	try {
		body = JSON.parse(text);
	} catch {
		throw new Refusal(422, "Body is not JSON");
	}
	if (typeof body !== "object" || body === null || Array.isArray(body))
		throw new Refusal(422, "Body is no object");
	const known = new Set();
	for (const [key, isRight] of Object.entries(keys)) {
		const name = key.replace("?", "");
		known.add(name);
		if (name !== key && !Object.hasOwn(body, name)) continue;
		if (!Object.hasOwn(body, name) || !isRight(body[name]))
			throw new Refusal(422, `${name} is missing or not valid`);
	}
	for (const key of Object.keys(body))
		if (!known.has(key)) throw new Refusal(422, "Body has an unknown key");
	return body;
}

/** Optional headers. A malformed one would be no evidence later. */
const HEADERS = /** @type {Record<string, Record<string, Check>>} */ ({
	"POST /authorize-customer": {
		"consent-client-address": (value) => isIP(value) !== 0,
		"consent-browser": (value) => /^[ -~]{1,200}$/.test(value),
		"consent-text-version": (value) => /^[0-9]{1,9}$/.test(value),
	},
});

/**
 * @param {string} call
 * @param {import("node:http").IncomingHttpHeaders} headers
 */
export function checkHeaders(call, headers) {
	for (const [name, isRight] of Object.entries(HEADERS[call] ?? {}))
		if (headers[name] !== undefined && !isRight(headers[name]))
			throw new Refusal(422, `${name} is not valid`);
}
