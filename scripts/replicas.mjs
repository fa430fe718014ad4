// make replicas: two replicas run behind HAProxy, and one of them ends in the middle of every step of a
// journey: in one journey by SIGTERM, in another by SIGKILL. Meanwhile eight other clients poll their
// accounts. No session may be lost, and with SIGTERM no request may fail. Uses loopback only.
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
	end,
	newSettings,
	start,
	startProduct,
	startSandbox,
} from "./processes.mjs";
import { Visitor } from "./visitor.mjs";

const LOOKERS = 8;
const TRIES = 20;
/** The sandbox's response time for calls of `demo-lento`, in which a replica can be ended. */
const SLOW_MS = 800;

const folder = mkdtempSync(join(tmpdir(), "vincula-replicas-"));
const [front, ...ports] = await Promise.all([
	freePort(),
	freePort(),
	freePort(),
	freePort(),
	freePort(),
]);
const product = `http://127.0.0.1:${front}`;
const sandbox = await startSandbox("--slow-ms", String(SLOW_MS));
const settings = { ...newSettings(sandbox.found), SHUTDOWN_DELAY_SECS: "1" };
const replicas = [];
const counts = { requests: 0, failed: 0, lost: 0 };
try {
	for (const name of [0, 1]) replicas.push(await replica(name));
	writeFileSync(join(folder, "haproxy.cfg"), configuration());
	const proxy = await start(
		"haproxy",
		["-f", join(folder, "haproxy.cfg"), "-db", "-V"],
		{},
		/(Using \w+\(\) as the polling mechanism)/,
	);
	for (const signal of ["SIGTERM", "SIGKILL"]) await outage(signal);
	await end(proxy, "SIGTERM");
} finally {
	for (const replica of replicas) await end(replica, "SIGKILL");
	await end(sandbox);
	rmSync(folder, { recursive: true, force: true });
}

async function outage(signal) {
	Object.assign(counts, { requests: 0, failed: 0, lost: 0 });
	const stop = new AbortController();
	const lookers = Array.from({ length: LOOKERS }, (_, number) =>
		look(`demo-contas.${signal}${number}`, stop.signal),
	);
	let retries = 0;
	let hits = 0;
	await new Visitor(product, sandbox.found, `demo-lento.${signal}`).journey(
		async (_name, take) => {
			const taking = again(take);
			const victim = await busy(taking);
			if (victim !== undefined) hits += 1;
			const name = victim ?? 0;
			const gone = end(replicas[name], signal);
			retries += await taking;
			await gone;
			replicas[name] = await replica(name);
			await inRotation();
		},
	);
	stop.abort();
	await Promise.all(lookers);
	const { requests, failed, lost } = counts;
	console.log(
		`${signal}: ${Visitor.STEPS.length} steps, in the middle of ${hits}; the journey ended well with ${retries} steps taken ` +
			`again; ${LOOKERS} others: ${requests} requests, ${failed} failed, ${lost} sessions lost`,
	);
	const isGood =
		lost === 0 &&
		hits >= 5 &&
		requests > 100 &&
		(signal === "SIGKILL" || failed + retries === 0);
	if (!isGood) throw new Error(`${signal}: the requirements were not met`);
}

/** Takes a step, and retries it after errors, as a person does. Returns the number of retries. */
async function again(take) {
	for (let tries = 0; ; tries += 1) {
		try {
			await take();
			return tries;
		} catch (error) {
			if (tries === TRIES) throw error;
			await sleep(200);
		}
	}
}

/** A client that polls the accounts until the signal aborts. */
async function look(token, signal) {
	const visitor = new Visitor(product, sandbox.found, token);
	await again(() => visitor.open());
	await again(() => visitor.validate());
	while (!signal.aborted) {
		counts.requests += 1;
		await visitor.accounts().catch((error) => {
			counts.failed += 1;
			// 401: the cookie could not be decrypted. 409: it belongs to another session.
			if (/: (401|409) /.test(error.message)) counts.lost += 1;
		});
		await sleep(250);
	}
}

/** Returns the replica that handles the journey's request; undefined if the response came before. */
async function busy(taking) {
	let done = false;
	taking.finally(() => (done = true)).catch(() => {});
	for (let tries = 0; tries < 20 && !done; tries += 1) {
		for (const [name, { metrics }] of replicas.entries()) {
			const text = await (await fetch(metrics)).text();
			// The other clients' calls take milliseconds, so a call in flight at two times is the journey's.
			if (/^vincula_upstream_calls_in_flight [1-9]/m.test(text)) {
				await sleep(60);
				const later = await (await fetch(metrics)).text();
				if (/^vincula_upstream_calls_in_flight [1-9]/m.test(later)) return name;
			}
		}
		await sleep(20);
	}
	return undefined;
}

function replica(name) {
	return startProduct(
		settings,
		`127.0.0.1:${ports[name]}`,
		`127.0.0.1:${ports[name + 2]}`,
	);
}

/** Waits until the proxy's status page lists both replicas as up. */
async function inRotation() {
	for (;;) {
		const text = await (await fetch(`${product}/proxy;csv`)).text();
		if ((text.match(/,replica\d,.*,UP,/g) ?? []).length === 2) return;
		await sleep(50);
	}
}

function configuration() {
	return `
global
  log stdout format raw local0 notice
defaults
  mode http
  timeout connect 2s
  timeout client 75s
  timeout server 1860s
  # Retries only requests that were never sent, so that no action runs twice.
  retries 3
  retry-on conn-failure
  option redispatch 1
  option httpchk GET /readyz
  default-server check inter 200ms fall 1 rise 1
frontend public
  bind 127.0.0.1:${front}
  stats enable
  stats uri /proxy
  option forwardfor
  default_backend vincula
backend vincula
  balance roundrobin
${[0, 1].map((name) => `  server replica${name} 127.0.0.1:${ports[name]}`).join("\n")}
`;
}

function freePort() {
	return new Promise((resolve) => {
		const server = createServer().listen(0, "127.0.0.1", () => {
			const { port } = server.address();
			server.close(() => resolve(port));
		});
	});
}
