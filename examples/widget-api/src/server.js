/** HTTP: routes, the envelope of a response, and a log line for each request. */
import { createServer as createHttpServer } from "node:http";
import { checkHeaders, parseBody } from "./bodies.js";
import { calls, refusalOf } from "./calls.js";
import { receive } from "./hooks.js";
import { linkOf } from "./links.js";
import { PluggyError } from "./pluggy.js";
import { Refusal } from "./refusal.js";

/** @import { IncomingMessage, Server } from "node:http" */
/** @import { App } from "./app.js" */

/** A webhook may name 400 transactions. */
const MAX_BODY_BYTES = 64 * 1024;

const HOOK = "POST /hooks/pluggy";

const METHODS = new Map(
	[...Object.keys(calls), HOOK].map((call) => {
		const [method = "", path = ""] = call.split(" ");
		return [path, method];
	}),
);

/**
 * @param {App} app
 * @returns {Server}
 */
export function createServer(app) {
	const server = createHttpServer(async (request, response) => {
		const path = request.url?.split("?")[0] ?? "";
		let [status, message] = [200, "OK"];
		/** @type {unknown} */
		let data = null;
		try {
			data = (await answer(app, request, path)) ?? null;
		} catch (cause) {
			const error = cause instanceof PluggyError ? refusalOf(cause) : cause;
			[status, message] =
				error instanceof Refusal
					? [error.status, error.message]
					: [500, "Internal error"];
			if (status >= 500) console.error(String(cause));
			if (status === 405) response.setHeader("allow", METHODS.get(path) ?? "");
		}
		// The request id is the support code that clients see. Never log tokens or documents.
		console.log(
			`${request.method} ${path} ${status} ${request.headers["x-request-id"] ?? ""}`,
		);
		response.writeHead(status, { "content-type": "application/json" });
		response.end(JSON.stringify({ data, meta: { status, message } }));
	});
	// Longer than Vincula keeps an idle connection.
	server.keepAliveTimeout = 10_000;
	return server;
}

/**
 * @param {App} app
 * @param {IncomingMessage} request
 * @param {string} path
 */
async function answer(app, request, path) {
	const method = METHODS.get(path);
	if (method === undefined) throw new Refusal(400, "No such call");
	if (request.method !== method) throw new Refusal(405, "Wrong method");
	const text = await textOf(request);
	const name = `${method} ${path}`;
	if (name === HOOK) return receive(app, text, request.headers);
	const body = parseBody(name, text);
	checkHeaders(name, request.headers);
	const link = linkOf(app, name, body, request.headers);
	return calls[name]?.(app, link, body, request.headers);
}

/** @param {IncomingMessage} request */
async function textOf(request) {
	/** @type {Buffer[]} */
	const chunks = [];
	let bytes = 0;
	for await (const chunk of request) {
		bytes += chunk.length;
		if (bytes > MAX_BODY_BYTES) throw new Refusal(413, "Body too large");
		chunks.push(chunk);
	}
	return Buffer.concat(chunks).toString();
}
