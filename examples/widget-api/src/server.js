/** HTTP: the routes, the envelope of a response, and a log line for each request. */
import { randomBytes, timingSafeEqual } from "node:crypto";
import Fastify from "fastify";
import PQueue from "p-queue";
import { calls, receiveHook } from "./calls.js";
import { hashOf, linkOf, Refusal } from "./links.js";
import { PluggyError } from "./pluggy.js";

/** @import { HTTPMethods, onRequestHookHandler } from "fastify" */
/** @import { App } from "./app.js" */

/** Vincula sends less than 1 kB. */
const MAX_BODY_BYTES = 4 * 1024;

/** A webhook may name 400 transactions. */
const MAX_HOOK_BYTES = 64 * 1024;

const HOOK_BODY = {
	type: "object",
	required: ["eventId"],
	properties: { eventId: { type: "string", minLength: 1, maxLength: 128 } },
};

/** @param {App} app */
export function createServer(app) {
	const server = Fastify({
		bodyLimit: MAX_BODY_BYTES,
		// For a whole request; a response may take longer.
		requestTimeout: 10_000,
		http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
		// Longer than Vincula keeps an idle connection.
		keepAliveTimeout: 10_000,
		exposeHeadRoutes: false,
		// The support code that clients see.
		genReqId: ({ headers }) => {
			const id = String(headers["x-request-id"]);
			return /^[0-9a-f]{12}$/.test(id) ? id : randomBytes(6).toString("hex");
		},
		// Fastify's defaults convert values and remove unknown keys.
		ajv: {
			customOptions: {
				allowUnionTypes: true,
				coerceTypes: false,
				removeAdditional: false,
			},
		},
		// An address that cannot be decoded.
		frameworkErrors: (_error, _request, /** @type {any} */ reply) =>
			reply.code(400).send(envelope(400, "No such call")),
	});

	/** @type {Map<string, PQueue>} */
	const turns = new Map();
	for (const [call, { body, headers, asksPluggy, act }] of Object.entries(
		calls,
	)) {
		const [method = "", url = ""] = call.split(" ");
		server.route({
			method: /** @type {HTTPMethods} */ (method),
			url,
			schema: { ...(body && { body }), ...(headers && { headers }) },
			handler: async (request) => {
				const link = await linkOf(app, call, request.body, request.headers);
				const answer = () => act(app, link, request.body, request);
				const data = asksPluggy
					? await inTurn(turns, link.hash, answer)
					: await answer();
				return envelope(200, "OK", data);
			},
		});
	}
	server.post(
		"/hooks/pluggy",
		{
			bodyLimit: MAX_HOOK_BYTES,
			schema: { body: HOOK_BODY },
			onRequest: checkSecret(app.settings.hookSecrets),
		},
		async (request) => {
			await receiveHook(app, /** @type {any} */ (request.body));
			return envelope(200, "OK");
		},
	);

	server.setNotFoundHandler((request, reply) => {
		const allowed = ["GET", "POST", "PUT"].filter((method) =>
			server.hasRoute({ method, url: request.url.split("?")[0] ?? "" }),
		);
		// 404 would mean an unknown link.
		if (allowed.length === 0)
			return reply.code(400).send(envelope(400, "No such call"));
		reply.header("allow", allowed.join());
		return reply.code(405).send(envelope(405, "Wrong method"));
	});
	server.setErrorHandler((error, _request, reply) => {
		const { status, message } = refusalOf(app, error);
		return reply.code(status).send(envelope(status, message));
	});
	server.addHook("onResponse", async (request, reply) => {
		// A path that is not known may hold anything.
		const path = request.routeOptions.url ?? "other";
		const isPoll = path === "/list-accounts" && reply.statusCode === 200;
		const line = { request: request.id, status: reply.statusCode };
		app.log[isPoll ? "debug" : "info"](line, `${request.method} ${path}`);
	});
	return server;
}

/**
 * Acts once the earlier acts of the same link have ended.
 * @param {Map<string, PQueue>} turns
 * @param {string} link
 * @param {() => unknown} act
 */
async function inTurn(turns, link, act) {
	const queue = turns.get(link) ?? new PQueue({ concurrency: 1 });
	turns.set(link, queue);
	try {
		return await queue.add(act);
	} finally {
		if (queue.size + queue.pending === 0) turns.delete(link);
	}
}

/** @param {number} status @param {string} message @param {unknown} data */
const envelope = (status, message, data = null) => ({
	data,
	meta: { status, message },
});

/**
 * Turns any error into a refusal. Vincula does not understand Pluggy's own errors.
 * @param {App} app
 * @param {unknown} error
 * @returns {{ status: number, message: string }}
 */
function refusalOf({ log }, error) {
	if (error instanceof Refusal) return error;
	if (error instanceof PluggyError) {
		log.warn(`${error}`);
		return error.status === 404
			? { status: 404, message: "item not found" }
			: { status: 502, message: "Pluggy does not answer" };
	}
	const { statusCode, message, stack } = /** @type {any} */ (error);
	// Of Fastify: the body is too large, is not JSON, or does not fit the schema.
	if (statusCode === 413) return { status: 413, message };
	if (statusCode < 500) return { status: 422, message };
	log.error(stack);
	return { status: 500, message: "Internal error" };
}

/**
 * Compares the webhook's secret with ours. Pluggy does not repeat after a 401.
 * @param {string[]} secrets
 * @returns {onRequestHookHandler}
 */
const checkSecret = (secrets) => async (request) => {
	// Hashes have equal lengths, which a comparison in constant time needs.
	const given = Buffer.from(hashOf(String(request.headers["x-hook-secret"])));
	const isOurs = secrets.some((secret) =>
		timingSafeEqual(given, Buffer.from(hashOf(secret))),
	);
	if (!isOurs) throw new Refusal(401, "No such secret");
};
