// make load: many clients poll their accounts on dist/vincula, while the widget API fails a share of the
// polls. Fails if a session is lost, a poll gets an unexpected response, or the memory grows. Uses
// loopback only.
//
//   make load CLIENTS=500 MINUTES=3 FAULTS=0.1
import { Agent, createServer, request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { end, newSettings, startProduct, startSandbox } from "./processes.mjs";
import { Visitor } from "./visitor.mjs";

const setting = (name, standard) => Number(process.env[name] ?? standard);
const CLIENTS = setting("CLIENTS", 500);
const MINUTES = setting("MINUTES", 3);
const FAULTS = setting("FAULTS", 0.1);
/** The pause of the page between its polls. */
const PAUSE_MS = 3_000;
/** Shorter than the default of half an hour, so that hanging calls end during the run. */
const UPSTREAM_TIMEOUT_MS = 3_000;
/** The memory may grow by this share between the second and the last third of the run. */
const MAX_GROWTH = 0.1;

/** Faults of the widget API's list of accounts, each with the status that the client gets. */
const BROKEN = {
	drop: [504, (response) => response.destroy()],
	cut: [
		504,
		(response) =>
			response
				.writeHead(200, { "content-length": "1000" })
				.write('{"data":', () => response.destroy()),
	],
	hang: [504, () => {}],
	error: [502, (response) => response.writeHead(500).end()],
	flood: [502, (response) => response.end(Buffer.alloc(4_000_000, " "))],
};
/** The fault of a token's next poll. */
const faults = new Map();

const sandbox = await startSandbox();
const agent = new Agent({ keepAlive: true });
/** A proxy of the sandbox, which injects the faults. */
const api = createServer((asked, response) => {
	const fault =
		asked.url.endsWith("/list-accounts") &&
		faults.get(asked.headers.authorization);
	if (fault) return asked.resume().on("end", () => fault(response));
	const { method, url, headers } = asked;
	asked.pipe(
		request(
			new URL(url, sandbox.found),
			{ method, headers, agent },
			(answer) => {
				answer.pipe(response.writeHead(answer.statusCode, answer.headers));
			},
		),
	);
});
await new Promise((resolve) => api.listen(0, "127.0.0.1", resolve));
const upstream = `http://127.0.0.1:${api.address().port}/widget-api`;
const product = await startProduct({
	...newSettings(upstream),
	UPSTREAM_TIMEOUT_MS: String(UPSTREAM_TIMEOUT_MS),
});

/** Resident memory in MB and processor time in ms. */
async function used() {
	const text = await (await fetch(product.metrics)).text();
	const value = (name) =>
		Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)[1]);
	return {
		memory: value("process_resident_memory_bytes") / 1e6,
		cpu: value("process_cpu_seconds_total") * 1e3,
	};
}

/** The number of unexpected responses, by description. */
const unexpected = {};
const waits = [];
let polls = 0;
let lost = 0;

/** Polls like an open page, until a time. */
async function poll(visitor, number, until) {
	await sleep((number / CLIENTS) * PAUSE_MS);
	while (Date.now() < until) {
		const [name, [expected, fault]] =
			Math.random() < FAULTS ? anyOf(Object.entries(BROKEN)) : ["none", [200]];
		faults.set(`Bearer ${visitor.token}`, fault);
		const began = performance.now();
		const status = await statusOf(visitor.accounts());
		polls += 1;
		if (name === "none") waits.push(performance.now() - began);
		if (status === 401 || status === 409) lost += 1;
		if (status !== expected) {
			const description = `${status} with fault ${name}`;
			unexpected[description] = (unexpected[description] ?? 0) + 1;
		}
		await sleep(PAUSE_MS);
	}
}

/** The status of a visitor's request, or the message of an error without a status. */
async function statusOf(request) {
	try {
		await request;
		return 200;
	} catch (error) {
		const [, status] = /: (\d{3}) /.exec(error.message) ?? [];
		return status === undefined ? error.message : Number(status);
	}
}

const anyOf = (list) => list[Math.floor(Math.random() * list.length)];
const median = (numbers) =>
	numbers.toSorted((a, b) => a - b)[numbers.length >> 1];

console.log(
	`▸ ${CLIENTS} clients poll for ${MINUTES} min, ${100 * FAULTS} % of the polls find the widget API broken`,
);
const visitors = Array.from({ length: CLIENTS }, (_, number) => {
	// Each visitor has its own address, because the product limits requests per address.
	const headers = { "x-forwarded-for": `10.0.${number >> 8}.${number & 255}` };
	return new Visitor(
		product.url,
		sandbox.found,
		`demo-contas.p${number}`,
		headers,
	);
});
for (const visitor of visitors) {
	await visitor.validate();
	await visitor.consent();
}
const memory = [];
const watch = setInterval(
	async () => memory.push((await used()).memory),
	1_000,
);
const before = await used();
const until = Date.now() + MINUTES * 60_000;
await Promise.all(
	visitors.map((visitor, number) => poll(visitor, number, until)),
);
clearInterval(watch);
const { cpu } = await used();
// Pages as well as polls need the session.
for (const visitor of visitors) await visitor.listed().catch(() => (lost += 1));
for (const program of [product, sandbox]) await end(program);

const third = Math.ceil(memory.length / 3);
const early = median(memory.slice(third, 2 * third));
const late = median(memory.slice(-third));
waits.sort((a, b) => a - b);
const wait = (share) => waits[Math.floor(waits.length * share)]?.toFixed(0);
console.log(
	`${polls} polls; those without a fault waited p50 ${wait(0.5)} ms, p99 ${wait(0.99)} ms`,
);
console.log(
	`processor time of a poll: ${((cpu - before.cpu) / polls).toFixed(3)} ms`,
);
console.log(
	`memory: ${early.toFixed(1)} MB, later ${late.toFixed(1)} MB, at most ${Math.max(...memory).toFixed(1)} MB`,
);
const failures = Object.entries(unexpected).map(
	([description, count]) => `${count} polls: ${description}`,
);
failures.push(...product.errors.slice(0, 5));
if (late / early - 1 > MAX_GROWTH)
	failures.push(`the memory grew by more than ${100 * MAX_GROWTH} %`);
if (polls < CLIENTS) failures.push("there are fewer polls than clients");
for (const failure of failures) console.error(`✗ ${failure}`);
console.log(
	`${failures.length === 0 ? "✓" : "✗"} ${lost} sessions lost, ${failures.length} kinds of errors`,
);
process.exit(failures.length + lost > 0 ? 1 : 0);
