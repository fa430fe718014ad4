/**
 * node measure.mjs TARGETS RUNS: opens each target RUNS times in a fresh browser profile, interleaved, and
 * prints the medians. CPU is the factor that slows the processor down. With SPKI Chromium accepts the
 * certificate of front.mjs.
 *
 * "Link → usable" is the time from opening the link until a tick enables the consent button
 * ("Autorizar…", or data-testid=consent) and the next frame has been painted. "First paint" and "alive"
 * (body[data-islands="alive"]) are measured from the start of the document.
 */
import fs from "node:fs";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { findChromium } from "../end2end/chromium.mjs";

const { chromium } = createRequire(
	new URL("../end2end/package.json", import.meta.url),
)("playwright-core");
const targets = JSON.parse(process.argv[2]);
const runs = Number(process.argv[3]);
const rate = Number(process.env.CPU ?? 4);
const args = [
	"--no-sandbox",
	"--disable-gpu",
	"--disable-quic",
	"--no-first-run",
	"--disable-background-networking",
	"--disable-component-update",
	"--disable-sync",
	`--ignore-certificate-errors-spki-list=${process.env.SPKI}`,
];

/** Runs in the page. Records the times in `window.__seen`. */
function probe() {
	const seen = { paint: 0, usable: 0, alive: 0 };
	window.__seen = seen;
	let found = false;
	new PerformanceObserver((list) => {
		for (const { name, startTime } of list.getEntries())
			if (name === "first-contentful-paint") seen.paint = startTime;
	}).observe({ type: "paint", buffered: true });
	const look = () => {
		if (found) return;
		const named = () =>
			[...document.querySelectorAll("button")].find((one) =>
				/^\s*Autorizar/.test(one.textContent),
			);
		const button = document.querySelector("[data-testid=consent]") ?? named();
		const box = document.querySelector("input[type=checkbox]");
		if (!button || !box) return;
		const works = () =>
			box.checked &&
			!button.disabled &&
			button.ariaDisabled !== "true" &&
			getComputedStyle(button).display !== "none";
		// React renders a tick after its event. A tick before the script has run has no effect, so it is
		// repeated.
		if (!works()) {
			if (box.checked) box.click();
			box.click();
		}
		if (!works()) return;
		found = true;
		box.click();
		// The frame has been painted when the task after its callbacks runs.
		requestAnimationFrame(() =>
			setTimeout(() => (seen.usable = performance.now())),
		);
	};
	// The observer reacts immediately, so that no target waits for the timer. The timer detects what does
	// not change the document.
	const changes = {
		childList: true,
		subtree: true,
		attributeFilter: ["disabled", "aria-disabled"],
	};
	new MutationObserver(look).observe(document, changes);
	setInterval(() => {
		if (!seen.alive && document.body?.dataset.islands === "alive")
			seen.alive = performance.now();
		look();
	}, 10);
}

async function visit(context, url) {
	const page = await context.newPage();
	const devtools = await context.newCDPSession(page);
	await devtools.send("Network.enable");
	await devtools.send("Emulation.setCPUThrottlingRate", { rate });
	let bytes = 0;
	devtools.on(
		"Network.loadingFinished",
		({ encodedDataLength }) => (bytes += encodedDataLength),
	);
	await page.addInitScript(probe);
	const clicked = Date.now();
	await page.goto(url, { waitUntil: "commit", timeout: 90_000 });
	await page.waitForFunction(() => window.__seen?.usable > 0, null, {
		timeout: 60_000,
		polling: 20,
	});
	const kB = bytes / 1000;
	await page.waitForTimeout(2500);
	const { origin, usable, paint, alive } = await page.evaluate(() => ({
		...window.__seen,
		origin: performance.timeOrigin,
	}));
	await page.close();
	return { usable: origin - clicked + usable, paint, alive, kB };
}

function medians(rows) {
	const middle = (values) =>
		values.sort((a, b) => a - b)[(values.length - 1) >> 1];
	return Object.fromEntries(
		Object.keys(rows[0]).map((key) => [
			key,
			middle(rows.map((row) => row[key])),
		]),
	);
}

const found = {};
for (let run = 0; run < runs; run += 1) {
	for (const { name, url } of targets) {
		const profile = fs.mkdtempSync(path.join(os.tmpdir(), "bench-"));
		const context = await chromium.launchPersistentContext(profile, {
			executablePath: await findChromium(),
			args,
			viewport: { width: 412, height: 823 },
			deviceScaleFactor: 1.75,
			isMobile: true,
			hasTouch: true,
			locale: "pt-BR",
		});
		try {
			found[name] ??= [[], []];
			for (const visits of found[name]) visits.push(await visit(context, url));
		} finally {
			await context.close();
			fs.rmSync(profile, { recursive: true, force: true });
		}
	}
}

const round = (value) => (value > 0 ? Math.round(value) : "");
["First visit", "Second visit"].forEach((title, at) => {
	const figures = Object.entries(found).map(([name, visits]) => [
		name,
		medians(visits[at]),
	]);
	const mine = figures.at(-1)[1].usable;
	console.log(`\n${title}, medians of ${runs}: ms, and kB when usable\n`);
	console.log(
		"|  | link → usable | first paint | alive | kB | Vincula against it |\n|---|---|---|---|---|---|",
	);
	for (const [name, { usable, paint, alive, kB }] of figures) {
		console.log(
			`| ${name} | ${round(usable)} | ${round(paint)} | ${round(alive)} | ${kB.toFixed(1)} | ${(mine / usable).toFixed(2)} |`,
		);
	}
});
