/**
 * Chromium 102, close to the oldest supported browsers (README), from QtWebEngine 6.4 on PyPI.
 * `make setup-tests` installs it. It has no WebDriver, so Playwright controls it by the DevTools
 * protocol.
 */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import {
	type BrowserContext,
	type ConnectOverCDPTransport,
	chromium,
} from "@playwright/test";
import WebSocket from "ws";
import { findProgram } from "../chromium.mjs";
import { foldersOfTool } from "./browsers.ts";

const SCRIPT = fileURLToPath(new URL("qtwebengine.py", import.meta.url));

/** The path of the Python that has QtWebEngine. Throws if it is missing. */
export function pythonOfQtWebEngine(): string {
	const path = findProgram(["python"], foldersOfTool("qtwebengine"));
	if (path === undefined) throw new Error("QtWebEngine is missing");
	return path;
}

export async function startOldest(): Promise<{
	context: BrowserContext;
	stop: () => Promise<void>;
}> {
	// Uses a temporary profile.
	const home = await mkdtemp(join(tmpdir(), "vincula-engine-"));
	const env = {
		PATH: process.env.PATH ?? "",
		LANG: "C.UTF-8",
		TZ: "America/Sao_Paulo",
		HOME: home,
		XDG_RUNTIME_DIR: home,
		QT_QPA_PLATFORM: "offscreen",
		// The sandbox needs more privileges than a container has. All pages are the product's.
		QTWEBENGINE_CHROMIUM_FLAGS: "--no-sandbox --disable-gpu --lang=pt-BR",
		QTWEBENGINE_REMOTE_DEBUGGING: `127.0.0.1:${await freePort()}`,
	};
	const program = spawn(pythonOfQtWebEngine(), [SCRIPT], {
		env,
		stdio: ["ignore", "ignore", "pipe"],
	});
	const kill = () => void program.kill();
	process.once("exit", kill);
	const url = await new Promise<string>((resolve, reject) => {
		let output = "";
		program.stderr.on("data", (text: Buffer) => {
			output += text.toString();
			const address = /DevTools listening on (ws:\S+)/.exec(output)?.[1];
			if (address !== undefined) resolve(address);
		});
		program.once("error", reject);
		program.once("exit", (code) =>
			reject(new Error(`QtWebEngine ended with ${code}: ${output}`)),
		);
	});
	// It has no browser contexts, so Playwright's defaults are set here.
	const browser = await chromium.connectOverCDP(await connect(url), {
		noDefaults: true,
	});
	const [context] = browser.contexts();
	if (context === undefined) throw new Error("QtWebEngine has no window");
	return {
		context,
		stop: async () => {
			await browser.close();
			process.removeListener("exit", kill);
			if (program.exitCode === null) {
				program.kill();
				await once(program, "exit");
			}
			await rm(home, { recursive: true, force: true });
		},
	};
}

/** Finds a free port, because QtWebEngine cannot choose one itself. */
async function freePort(): Promise<number> {
	const server = createServer().listen(0, "127.0.0.1");
	await once(server, "listening");
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, "close");
	return port;
}

/** A polyfill for Playwright's own scripts: Chromium has `checkVisibility` since 105. */
const CHECK_VISIBILITY = `Element.prototype.checkVisibility ??= function () {
  if (this.getClientRects().length > 0) return true;
  return getComputedStyle(this).display === 'contents' && (this.parentElement?.checkVisibility() ?? true);
};`;

/** Connects to the browser, and adds the polyfill to Playwright's scripts. */
async function connect(url: string): Promise<ConnectOverCDPTransport> {
	const socket = new WebSocket(url, { perMessageDeflate: false });
	await once(socket, "open");
	const transport: ConnectOverCDPTransport = {
		send: (message) => {
			const { method, params } = message as {
				method: string;
				params: { source: string; worldName?: string };
			};
			const isOwn =
				method === "Page.addScriptToEvaluateOnNewDocument" &&
				params.worldName !== undefined;
			const sent = isOwn
				? {
						...message,
						params: { ...params, source: CHECK_VISIBILITY + params.source },
					}
				: message;
			socket.send(JSON.stringify(sent));
		},
		close: () => socket.close(),
	};
	socket.on("message", (data) =>
		transport.onmessage?.(JSON.parse(String(data))),
	);
	socket.on("close", () => transport.onclose?.());
	return transport;
}
