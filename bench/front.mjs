/**
 * Serves all variants of the comparison over TLS 1.3 and HTTP/2, each on its own port.
 *
 *   HOST KEY CERT API_MS  node front.mjs '[{"name":"spa","port":8443,"dir":"…"},{"name":"product","port":8444,"proxy":"http://…"}]'
 *
 * A folder is served with brotli 11 and immutable assets, with index.html as the fallback, and with
 * responses to /widget-api/* after API_MS. Responses of a proxied program are forwarded unchanged.
 */
import fs from "node:fs";
import http from "node:http";
import http2 from "node:http2";
import path from "node:path";
import zlib from "node:zlib";

const { HOST: host = "127.0.0.1", API_MS = "50", KEY, CERT } = process.env;
const TYPES = {
	".html": "text/html; charset=utf-8",
	".js": "text/javascript",
	".css": "text/css",
	".svg": "image/svg+xml",
	".woff2": "font/woff2",
	".json": "application/json",
};
const API = {
	"/session": {
		firm: "Contabilidade Exemplo",
		company: "Padaria Pão Quente LTDA",
		cnpj: "12.345.678/0001-95",
	},
	"/accounts": [],
};
const agent = new http.Agent({ keepAlive: true, maxSockets: 256 });
const files = new Map();

/** Returns a file's content and type, or null if it does not exist. */
function load(file) {
	if (!files.has(file)) {
		const isFile = fs.existsSync(file) && fs.statSync(file).isFile();
		files.set(file, isFile ? read(file) : null);
	}
	return files.get(file);
}

function read(file) {
	const raw = fs.readFileSync(file);
	const ending = path.extname(file);
	const br = ending === ".woff2" ? null : zlib.brotliCompressSync(raw);
	return {
		raw,
		br: br && br.length < raw.length ? br : null,
		type: TYPES[ending] ?? "application/octet-stream",
	};
}

function fromFolder({ dir }, request, response) {
	const { pathname } = new URL(request.url, "https://front");
	if (pathname.startsWith("/widget-api")) {
		const answer = JSON.stringify(
			API[pathname.slice("/widget-api".length)] ?? {},
		);
		return setTimeout(() => {
			response.writeHead(200, {
				"content-type": "application/json",
				"cache-control": "no-store",
			});
			response.end(answer);
		}, Number(API_MS));
	}
	const found = load(
		path.join(dir, path.normalize(decodeURIComponent(pathname))),
	);
	const file = found ?? load(path.join(dir, "index.html"));
	const packed =
		file.br && /\bbr\b/.test(request.headers["accept-encoding"] ?? "");
	response.writeHead(200, {
		"content-type": file.type,
		"cache-control":
			found && /assets\/|pkg\//.test(pathname)
				? "public, max-age=31536000, immutable"
				: "no-cache",
		...(packed ? { "content-encoding": "br" } : {}),
	});
	response.end(packed ? file.br : file.raw);
}

function fromProxy({ proxy }, request, response) {
	const headers = {
		host: request.headers[":authority"] ?? request.headers.host,
	};
	for (const [name, value] of Object.entries(request.headers)) {
		if (!name.startsWith(":") && name !== "connection") headers[name] = value;
	}
	const inner = http.request(
		proxy + request.url,
		{ method: request.method, headers, agent },
		(answer) => {
			const kept = { ...answer.headers };
			for (const name of ["connection", "transfer-encoding", "keep-alive"])
				delete kept[name];
			response.writeHead(answer.statusCode, kept);
			answer.pipe(response);
		},
	);
	inner.on("error", () => {
		if (!response.headersSent) response.writeHead(502);
		response.end();
	});
	request.pipe(inner);
}

for (const variant of JSON.parse(process.argv[2])) {
	const serve = variant.proxy ? fromProxy : fromFolder;
	const settings = {
		key: fs.readFileSync(KEY),
		cert: fs.readFileSync(CERT),
		allowHTTP1: true,
		minVersion: "TLSv1.3",
	};
	const server = http2.createSecureServer(settings, (request, response) =>
		serve(variant, request, response),
	);
	server.listen(variant.port, host, () => console.log(variant.name, "ready"));
}
