/** Controls and measures a page: its clock, requests, text size and boxes. */
import { expect, type Locator, type Page } from "@playwright/test";

export type Box = {
	x: number;
	y: number;
	width: number;
	height: number;
	right: number;
	bottom: number;
};

/** A page whose islands work or have failed, and that is not the entry, unless its validation has failed. */
const SETTLED =
	"body[data-islands], body:not(:has(leptos-island), [data-page=entry]), #entry-failed:not([hidden])";

/** Makes `goto` wait until the page's islands work or have failed, unless it has the option `waitUntil`. */
export function waitInGoto(page: Page): void {
	const goto = page.goto.bind(page);
	page.goto = async (url, options) => {
		const response = await goto(url, options);
		if (options?.waitUntil === undefined)
			await page.locator(SETTLED).first().waitFor({ state: "attached" });
		return response;
	};
}

/** Waits until the islands of a page are hydrated. On the entry page, it waits for the next one. */
export async function waitForHydration(page: Page): Promise<void> {
	await expect(page.locator('body:not([data-page="entry"])')).toHaveAttribute(
		"data-islands",
		"alive",
	);
}

/** Lets tests control the page's clock. Call it before the first page; time runs as usual until it is stopped. */
export async function installClock(page: Page): Promise<void> {
	await page.clock.install();
	// Playwright's timer ids exceed 32 bits, so wasm could not clear them.
	await page.addInitScript(() => {
		const { setTimeout: start, clearTimeout: stop } = window;
		const ids: number[] = [0];
		Object.assign(window, {
			setTimeout: (run: TimerHandler, ms?: number, ...rest: unknown[]) =>
				ids.push(start(run, ms, ...rest)) - 1,
			clearTimeout: (id?: number) => stop(id === undefined ? id : ids[id]),
		});
	});
}

/** Stops the clock at the current time, or a little later if the machine is busy. */
export async function stopClock(page: Page, aheadMs = 100): Promise<void> {
	const now = await page.evaluate(() => Date.now());
	await page.clock.pauseAt(now + aheadMs).catch((error: unknown) => {
		if (aheadMs > 1000) throw error;
		return stopClock(page, 2 * aheadMs);
	});
}

/** Hides the page from its scripts, as another tab does, or shows it again. */
export async function setHidden(page: Page, hidden: boolean): Promise<void> {
	await page.evaluate((value) => {
		Object.defineProperty(document, "hidden", {
			configurable: true,
			get: () => value,
		});
		document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
	}, hidden);
}

/** Holds back the page's requests for these URLs until the returned function is called. */
export async function holdRequests(
	page: Page,
	url: string | RegExp,
): Promise<() => void> {
	let release = (): void => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	await page.route(url, (route) => released.then(() => route.fallback()));
	return release;
}

/**
 * Sets the size of text, as the browser's setting does. Unlike a font size of the root element, it also applies to `em` in
 * media queries.
 */
export async function enlargeText(page: Page, percent: number): Promise<void> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Page.setFontSizes", {
		fontSizes: { standard: (16 * percent) / 100 },
	});
	await waitForPaint(page);
}

/** Returns the place of an element on the screen, in pixels. */
export async function boxOf(element: Locator): Promise<Box> {
	const box = await element.boundingBox();
	if (box === null) throw new Error(`${element} is not displayed`);
	return { ...box, right: box.x + box.width, bottom: box.y + box.height };
}

/** Waits until all changes are painted. */
export function waitForPaint(page: Page): Promise<void> {
	return page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame += 1)
			await new Promise(requestAnimationFrame);
	});
}
