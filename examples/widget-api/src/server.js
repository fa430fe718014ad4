/** HTTP: the routes, the envelope of a response, and a log line for each request. */
import rateLimit from "@fastify/rate-limit";
import { Ajv } from "ajv";
import Fastify from "fastify";
import { calls, receiveHook } from "./calls.js";
import { hashOf, linkOf, Refusal } from "./links.js";
import { PluggyError } from "./pluggy.js";

/** @import { FastifyInstance, FastifyPluginCallback, FastifyRequest, HTTPMethods, onRequestHookHandler } from "fastify" */
/** @import { App } from "./app.js" */

/** Vincula sends less than 1 kB. */
const MAX_BODY_BYTES = 4 * 1024;

/** A webhook may name 400 transactions. */
const MAX_HOOK_BYTES = 64 * 1024;

/** How often a link may make a call that asks Pluggy. All links share what Pluggy allows. */
const LIMIT = {
	max: 10,
	timeWindow: 60_000,
	keyGenerator: (/** @type {FastifyRequest} */ { headers }) =>
		String(headers.authorization),
	errorResponseBuilder: () => new Refusal(429, "Too many calls"),
};

/** No limit of your service by address, which would be one for all clients: Vincula and Pluggy make the calls. */
const UNLIMITED = { rateLimit: false };

/** @param {App} app */
export function createServer(app) {
	const server = Fastify({
		// For a whole request; a response may take longer.
		requestTimeout: 10_000,
		http: { headersTimeout: 5_000, connectionsCheckingInterval: 1_000 },
		// Longer than Vincula keeps an idle connection.
		keepAliveTimeout: 10_000,
	});
	void server.register(widgetApi, { app });
	return server;
}

/**
 * The plugin that has the routes. It depends on no option of the server, so that it can be registered in another service.
 * @type {FastifyPluginCallback<{ app: App }>}
 */
export function widgetApi(server, { app }, done) {
	// Fastify's own validator converts values and removes unknown keys.
	const ajv = new Ajv({
		allowUnionTypes: true,
	});
	server.setValidatorCompiler(({ schema }) => ajv.compile(schema));
	void server.register(rateLimit, { global: false });
	server.after(() => addRoutes(server, app));
	server.setNotFoundHandler((_request, reply) => {
		// 404 would mean an unknown link.
		return reply.code(400).send(envelope(400, "No such call"));
	});
	server.setErrorHandler((error, _request, reply) => {
		const { status, message } = refusalOf(app, error);
		return reply.code(status).send(envelope(status, message));
	});
	server.addHook("onResponse", async (request, reply) => {
		// A path that is not known may hold anything.
		const path = request.routeOptions.url ?? "other";
		const isPoll = path.endsWith("/list-accounts") && reply.statusCode === 200;
		const line = { request: supportCode(request), status: reply.statusCode };
		app.log[isPoll ? "debug" : "info"](line, `${request.method} ${path}`);
	});
	done();
}

/** @param {FastifyInstance} server @param {App} app */
function addRoutes(server, app) {
	for (const [call, { body, isLimited, act }] of Object.entries(calls)) {
		const [method = "", url = ""] = call.split(" ");
		server.route({
			method: /** @type {HTTPMethods} */ (method),
			url,
			bodyLimit: MAX_BODY_BYTES,
			exposeHeadRoute: false,
			schema: body === undefined ? {} : { body },
			config: UNLIMITED,
			onRequest: isLimited ? server.rateLimit(LIMIT) : [],
			handler: async (request) => {
				const link = await linkOf(app, call, request.body, request.headers);
				const data = await act(app, link, request.body, {
					headers: request.headers,
					id: supportCode(request),
				});
				return envelope(200, "OK", data);
			},
		});
	}
	server.post(
		"/hooks/pluggy",
		{
			bodyLimit: MAX_HOOK_BYTES,
			schema: { body: { type: "object" } },
			config: UNLIMITED,
			onRequest: checkSecret(app.settings.hookSecret),
		},
		async (request) => {
			await receiveHook(app, /** @type {any} */ (request.body));
			return envelope(200, "OK");
		},
	);
}

/** Returns the code that clients see, or another id of the request. @param {FastifyRequest} request */
function supportCode({ headers, id }) {
	const code = String(headers["x-request-id"]);
	return /^[0-9a-f]{12}$/.test(code) ? code : id;
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
		return { status: 502, message: "Pluggy does not answer" };
	}
	const { statusCode, message, stack } = /** @type {any} */ (error);
	// Of Fastify: the body is not JSON, or does not fit the schema.
	if (statusCode === 400 || statusCode === 415) return { status: 422, message };
	// The body is too large, or a hook of your service refuses the call: 429 must stay, because 422 is final.
	if (statusCode >= 400) return { status: statusCode, message };
	log.error(stack);
	return { status: 500, message: "Internal error" };
}

/**
 * Compares the hashes of the webhook's secret and ours: how long this takes tells nothing about ours. Pluggy does not repeat after
 * a 401.
 * @param {string | undefined} secret
 * @returns {onRequestHookHandler}
 */
const checkSecret = (secret) => async (request) => {
	const given = hashOf(String(request.headers["x-hook-secret"]));
	if (secret === undefined || given !== hashOf(secret))
		throw new Refusal(401, "No such secret");
};
