/** Actions and checks on a page, apart from the journey's steps. */
import AxeBuilder from "@axe-core/playwright";
import type { Page } from "@playwright/test";

const RULES = [
	"wcag2a",
	"wcag2aa",
	"wcag21a",
	"wcag21aa",
	"wcag22aa",
	"best-practice",
];

/** The sum of layout shifts (CLS) that a page may have. */
const MAX_SHIFT = 0.05;

/** axe's message for overlapping text, whose contrast it does not compute. */
const OVERLAPS = /overlap|partially obscured/;

/**
 * Returns axe's findings on a page, without Pluggy's frames: violations, and text whose contrast cannot
 * be computed. `only` limits it to one rule.
 */
export async function findings(page: Page, only?: string): Promise<string[]> {
	const axe = new AxeBuilder({ page }).exclude("iframe");
	const { violations, incomplete } = await (only === undefined
		? axe.withTags(RULES)
		: axe.withRules(only)
	).analyze();
	const unknown = incomplete.filter(
		({ id, nodes }) =>
			id === "color-contrast" &&
			nodes.some(({ any }) => !OVERLAPS.test(any[0]?.message ?? "")),
	);
	return [...violations, ...unknown].map(
		({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(" | ")}`,
	);
}

/**
 * Matches the URL after a failed action, with the support code of the failed request. `outage`: the
 * widget API itself failed, and the screen does not blame the link.
 */
export function failedInto(kind: string, { outage = false } = {}): RegExp {
	return new RegExp(
		`/error/${kind}\\?${outage ? "falha=servico&" : ""}codigo=[0-9a-f]{12}$`,
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

/** Shows a toast, as the page's module offers it to the wasm module. */
export function showToast(
	page: Page,
	kind: "error" | "success" | "info",
	text: string,
): Promise<void> {
	return page.evaluate(
		([kind, text]) => {
			const { vincula } = window as unknown as {
				vincula: { toast: (kind: string, text: string) => void };
			};
			vincula.toast(kind, text);
		},
		[kind, text] as const,
	);
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
	await drawn(page);
}

/** Waits until all changes are painted. */
export function drawn(page: Page): Promise<void> {
	return page.evaluate(async () => {
		for (let frame = 0; frame < 3; frame += 1)
			await new Promise(requestAnimationFrame);
	});
}

/** Returns the layout shifts since the first paint if their sum exceeds the limit. Shifts that follow an input are expected. */
export function shifts(page: Page): Promise<string[]> {
	return page.evaluate((max) => {
		type Shift = PerformanceEntry & {
			value: number;
			hadRecentInput: boolean;
			sources: { node: Node | null }[];
		};
		const observer = new PerformanceObserver(() => {});
		observer.observe({ type: "layout-shift", buffered: true });
		const found = (observer.takeRecords() as Shift[]).filter(
			({ hadRecentInput }) => !hadRecentInput,
		);
		const total = found.reduce((sum, { value }) => sum + value, 0);
		const nameOf = ({ node }: { node: Node | null }) =>
			node instanceof Element ? `${node.localName}.${node.className}` : "?";
		return total <= max
			? []
			: found.map(
					({ value, sources }) => `${value} ${sources.map(nameOf).join(" ")}`,
				);
	}, MAX_SHIFT);
}

/**
 * Watches prefetches by speculation rules. Call it before the first page. `ready` resolves once a page
 * has been prefetched.
 */
export async function watchPrefetch(
	page: Page,
): Promise<{ ready: Promise<void> }> {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Preload.enable");
	const ready = new Promise<void>((done) => {
		devtools.on("Preload.prefetchStatusUpdated", ({ status }) => {
			if (status === "Ready" || status === "Success") done();
		});
	});
	return { ready };
}

/** Whether the current page was prefetched. */
export function isPrefetched(page: Page): Promise<boolean> {
	return page.evaluate(() => {
		const [navigation] = performance.getEntriesByType(
			"navigation",
		) as (PerformanceEntry & { deliveryType: string })[];
		return navigation?.deliveryType === "navigational-prefetch";
	});
}

/**
 * Runs in the page. Returns why the focus on an element is not visible, or an empty text if it is: a
 * ring of at least 2 px with a contrast of 3:1, on the screen and uncovered.
 */
export function whyUnseen(element: Element): string {
	const light = (color: string) => {
		const [r = 0, g = 0, b = 0] = (color.match(/[\d.]+/g) ?? [])
			.map(Number)
			.map((one) => {
				const part = one / 255;
				return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
			});
		return 0.2126 * r + 0.7152 * g + 0.0722 * b;
	};
	const contrast = (one: string, other: string) => {
		const [low = 0, high = 0] = [light(one), light(other)].sort(
			(a, b) => a - b,
		);
		return (high + 0.05) / (low + 0.05);
	};
	const backgroundOf = (one: Element | null): string => {
		if (one === null) return "rgb(255, 255, 255)";
		const { backgroundColor } = getComputedStyle(one);
		return /, 0\)$|transparent/.test(backgroundColor)
			? backgroundOf(one.parentElement)
			: backgroundColor;
	};
	// The label of a checkbox draws the ring around both.
	const label =
		element instanceof HTMLInputElement && element.type === "checkbox"
			? element.labels?.[0]
			: undefined;
	const rings = [{ of: element, style: getComputedStyle(element) }];
	if (label)
		rings.push({
			of: label.parentElement ?? label,
			style: getComputedStyle(label, "::after"),
		});
	const ring = rings.find(
		({ style }) =>
			style.outlineStyle !== "none" &&
			Number.parseFloat(style.outlineWidth) >= 2,
	);
	if (!ring) return `no ring: ${getComputedStyle(element).outline}`;
	const { outlineColor, outlineOffset, opacity } = ring.style;
	const behind = backgroundOf(
		Number.parseFloat(outlineOffset) < 0 ? ring.of : ring.of.parentElement,
	);
	if (contrast(outlineColor, behind) < 3) return `${outlineColor} on ${behind}`;
	if (Number(opacity) < 1) return `opacity ${opacity}`;
	const { left, top, right, bottom } = element.getBoundingClientRect();
	const [x, y] = [(left + right) / 2, (top + bottom) / 2];
	if (left < 0 || top < 0 || right > innerWidth || bottom > innerHeight)
		return `off the screen: ${left},${top}`;
	const hit = document.elementFromPoint(x, y);
	const own =
		hit !== null &&
		(element.contains(hit) || hit.closest("label")?.control === element);
	return own ? "" : `covered by ${hit?.outerHTML.slice(0, 80)}`;
}
