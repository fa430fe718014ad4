// bench.mjs: opens links of dist/vincula on a slow phone, and prints medians: the time from the link to a usable
// consent, and the bytes that were loaded until then. RUNS=9 changes the number of runs.
//
// Chromium itself slows down processor and network. Its network is simpler than a real one, so compare only
// figures of the same machine and run.
import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { findChromium } from "../end2end/chromium.mjs";

const { chromium } = createRequire(
	new URL("../end2end/package.json", import.meta.url),
)("@playwright/test");

const RUNS = Number(process.env.RUNS ?? 5);
const PROCESSOR_SLOWDOWN = 4;
/** Slow 4G. Rates in bytes per second. */
const NETWORK = {
	offline: false,
	latency: 150,
	downloadThroughput: 1_600_000 / 8,
	uploadThroughput: 750_000 / 8,
};
const PHONE = {
	viewport: { width: 412, height: 823 },
	deviceScaleFactor: 1.75,
	isMobile: true,
	hasTouch: true,
	locale: "pt-BR",
};
const product = await start();
const browser = await chromium.launch({
	executablePath: await findChromium(),
	args: ["--no-sandbox"],
});

const visits = { first: [], second: [] };
for (let run = 0; run < RUNS; run++) {
	const context = await browser.newContext(PHONE);
	visits.first.push(await visit(context));
	visits.second.push(await visit(context));
	await context.close();
}
for (const [name, figures] of Object.entries(visits)) {
	const ms = median(figures.map(({ ms }) => ms));
	const bytes = median(figures.map(({ bytes }) => bytes));
	console.log(
		`${name} visit: usable after ${ms.toFixed(0)} ms, ${(bytes / 1000).toFixed(1)} kB (median of ${RUNS})`,
	);
}
await browser.close();
product.child.kill();

/** Opens a link. Returns the milliseconds until the consent is usable, and the bytes loaded until then. */
async function visit(context) {
	const page = await context.newPage();
	const devtools = await context.newCDPSession(page);
	await devtools.send("Network.enable");
	await devtools.send("Network.emulateNetworkConditions", NETWORK);
	await devtools.send("Emulation.setCPUThrottlingRate", {
		rate: PROCESSOR_SLOWDOWN,
	});
	let bytes = 0;
	devtools.on("Network.loadingFinished", ({ encodedDataLength }) => {
		bytes += encodedDataLength;
	});
	await page.addInitScript(watchConsent);
	const started = Date.now();
	await page.goto(`${product.url}/?token=demo-novo`, { waitUntil: "commit" });
	const usable = await page.waitForFunction(() => window.consentUsableAt);
	const ms = (await usable.jsonValue()) - started;
	const figures = { ms, bytes };
	await page.close();
	return figures;
}

/** In the page: ticks the box until that enables the button, and notes when. */
function watchConsent() {
	const timer = setInterval(() => {
		const box = document.querySelector("input[type=checkbox]");
		const button = [...document.querySelectorAll("button")].find((button) =>
			button.textContent.includes("Autorizar"),
		);
		const isPainted = performance.getEntriesByType("paint").length > 0;
		if (!box || !button || !isPainted) return;
		if (!box.checked) box.click();
		if (box.checked && !button.disabled) {
			window.consentUsableAt = Date.now();
			clearInterval(timer);
		}
	}, 10);
}

/** Starts the product on its sandbox, and resolves once it listens. */
async function start() {
	const url = "http://127.0.0.1:7300";
	const child = spawn("dist/vincula", {
		env: {
			...process.env,
			WIDGET_API_URL: "sandbox",
			LISTEN_ADDR: "127.0.0.1:7300",
			METRICS_ADDR: "none",
			RUST_LOG: "warn",
		},
		stdio: ["ignore", "ignore", "inherit"],
	});
	for (let attempt = 0; attempt < 100; attempt++) {
		const response = await fetch(`${url}/readyz`).catch(() => undefined);
		if (response?.ok) return { child, url };
		await new Promise((done) => setTimeout(done, 50));
	}
	throw new Error("dist/vincula does not start");
}

function median(numbers) {
	return numbers.sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
}
