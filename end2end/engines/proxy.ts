/**
 * TLS in front of the program, as in production, and the stand-in for Connect on another site. The proxy also collects the
 * browser's errors, since WebDriver has no events that both engines support: responses with an error status, and the
 * reports of a script that it inserts into each page before all others.
 */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import {
	type IncomingMessage,
	type RequestListener,
	type ServerResponse,
	request as sendRequest,
} from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { pageOf } from "../support/connect-stand-in.ts";

export type Certificate = { key: Buffer; cert: Buffer };
export type HttpsServer = { url: string; stop: () => void };
/** Collects the browser's errors; reading removes them. */
export type RecordingProxy = HttpsServer & { errors: string[] };

/** Browsers treat them as different sites. */
type Host = "127.0.0.1" | "localhost";

const SCRIPT_PATH = "/browser-errors.js";
const REPORT_PATH = "/browser-errors";

/** A self-signed certificate for one run. */
export function newCertificate(): Certificate {
	const folder = mkdtempSync(join(tmpdir(), "vincula-certificate-"));
	const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
	const names = [
		"-subj",
		"/CN=localhost",
		"-addext",
		"subjectAltName=DNS:localhost,IP:127.0.0.1",
	];
	const kind = [
		"-x509",
		"-newkey",
		"ec",
		"-pkeyopt",
		"ec_paramgen_curve:prime256v1",
		"-nodes",
		"-days",
		"2",
	];
	try {
		execFileSync(
			"openssl",
			["req", ...kind, ...names, "-keyout", key, "-out", cert],
			{ stdio: "pipe" },
		);
		return { key: readFileSync(key), cert: readFileSync(cert) };
	} finally {
		rmSync(folder, { recursive: true });
	}
}

export function startConnect(certificate: Certificate): Promise<HttpsServer> {
	return serve("localhost", certificate, (request, response) => {
		const page = pageOf(request.url?.split("?")[0] ?? "/");
		if (page === undefined) response.writeHead(404).end();
		else
			response
				.writeHead(200, { "content-type": page.contentType })
				.end(page.body);
	});
}

/** Forwards all requests to the program at this address. */
export async function startProxy(
	program: string,
	certificate: Certificate,
): Promise<RecordingProxy> {
	const errors: string[] = [];
	const addError = (text: string) => void errors.push(text);
	const proxy = await serve("127.0.0.1", certificate, (request, response) => {
		if (request.url === SCRIPT_PATH)
			response
				.writeHead(200, { "content-type": "text/javascript" })
				.end(SCRIPT);
		else if (request.url === REPORT_PATH)
			void text(request)
				.then(addError)
				.then(() => response.writeHead(204).end());
		else forward(program, request, response, addError);
	});
	return { ...proxy, errors };
}

async function serve(
	host: Host,
	certificate: Certificate,
	listener: RequestListener,
): Promise<HttpsServer> {
	const server = createServer(certificate, listener);
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	const stop = () => {
		server.close();
		server.closeAllConnections();
	};
	return {
		url: `https://${host}:${(server.address() as AddressInfo).port}`,
		stop,
	};
}

function forward(
	program: string,
	request: IncomingMessage,
	response: ServerResponse,
	addError: (text: string) => void,
): void {
	const { method = "GET", headers, url = "/" } = request;
	const isDocument =
		method === "GET" && (headers.accept ?? "").includes("text/html");
	// Uncompressed, so that the script can be inserted.
	const forwardedHeaders = isDocument
		? { ...headers, "accept-encoding": "identity" }
		: headers;
	const forwarded = sendRequest(
		program + url,
		{ method, headers: forwardedHeaders },
		(reply) => {
			const { statusCode: status = 0, headers } = reply;
			// Without the query, which may contain a link's token.
			if (status >= 400)
				addError(`status of ${status}: ${method} ${url.split("?")[0]}`);
			if (!isDocument || !headers["content-type"]?.startsWith("text/html")) {
				response.writeHead(status, headers);
				reply.pipe(response);
				return;
			}
			const { "content-length": _, ...others } = headers;
			const withScript = (page: string) =>
				page.replace("<head>", `<head><script src="${SCRIPT_PATH}"></script>`);
			void text(reply)
				.then((page) =>
					response.writeHead(status, others).end(withScript(page)),
				)
				.catch(() => response.destroy());
		},
	);
	forwarded.on("error", () => response.destroy());
	// The browser aborts the requests of a page that is left.
	response.on("close", () => forwarded.destroy());
	request.pipe(forwarded);
}

/** Runs in the page. */
const SCRIPT = `(() => {
  const report = (text) => navigator.sendBeacon('${REPORT_PATH}', text);
  addEventListener('error', ({ message }) => report('page error: ' + message));
  addEventListener('unhandledrejection', ({ reason }) => report('unhandled rejection: ' + reason));
  document.addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI }) => {
    report('policy violation: ' + effectiveDirective + ' ' + blockedURI);
  });
  for (const level of ['error', 'warn']) {
    console[level] = (...words) => report('console ' + level + ': ' + words.join(' '));
  }
})();`;
