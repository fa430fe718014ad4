/** Rules for every screen in every state. Each check returns what breaks its rule. */
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

/** axe's message for overlapping text, whose contrast it does not compute. */
const OVERLAPS = /overlap|partially obscured/;

/** The sum of layout shifts (CLS) that a page may have. */
const MAX_SHIFT = 0.05;

/** iOS zooms into fields with a smaller font. */
const MIN_FIELD_PX = 16;
const MIN_LETTER_PX = 14;
/** The style sheet cuts all motion to 1 ms for a person with reduced motion. */
const MAX_MOTION_MS = 10;

/**
 * Returns axe's findings on a page, without Pluggy's frames: violations, and text whose contrast cannot
 * be computed. `only` limits it to one rule.
 */
export async function axeFindings(
	page: Page,
	only?: string,
): Promise<string[]> {
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
 * Returns the layout shifts since the first paint if their sum exceeds the limit. After the first input,
 * shifts that follow an input are expected. Before it every shift counts, whatever `hadRecentInput` says:
 * Chromium also sets it when the window changes its size, as an emulated phone's does at each load.
 */
export function layoutShifts(page: Page): Promise<string[]> {
	return page.evaluate((max) => {
		type Shift = PerformanceEntry & {
			value: number;
			hadRecentInput: boolean;
			sources: { node: Node | null }[];
		};
		const entriesOf = (type: string) => {
			const observer = new PerformanceObserver(() => {});
			observer.observe({ type, buffered: true });
			return observer.takeRecords();
		};
		const firstInput = entriesOf("first-input")[0]?.startTime ?? Infinity;
		const found = (entriesOf("layout-shift") as Shift[]).filter(
			({ hadRecentInput, startTime }) =>
				!hadRecentInput || startTime < firstInput,
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

/** Returns whether the firm in the header is displayed, opaque, on screen and uncovered. */
export function isHeaderVisible(page: Page): Promise<boolean> {
	return page.evaluate(() => {
		const brand = document.querySelector(".page__header .brand");
		const isShown = brand?.checkVisibility({
			opacityProperty: true,
			visibilityProperty: true,
		});
		if (!brand || !isShown) return false;
		const { left, top, width, height } = brand.getBoundingClientRect();
		return brand.contains(
			document.elementFromPoint(left + width / 2, top + height / 2),
		);
	});
}

/** English words in visible text or in text for screen readers, which must be Portuguese. */
export function englishWords(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const WORDS =
			/\b(the|of|and|to|is|are|was|not|with|for|from|your|you|this|that|please|have|has|will|can|try|again|error|loading)\b/gi;
		const spoken = ["aria-label", "alt", "title", "placeholder"].flatMap(
			(name) =>
				[...document.querySelectorAll(`[${name}]`)].map(
					(one) => one.getAttribute(name) ?? "",
				),
		);
		return [document.title, document.body.innerText, ...spoken].flatMap(
			(text) => text.match(WORDS) ?? [],
		);
	});
}

/** Elements that make the page wider than the screen. */
export function widerThanScreen(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const { scrollWidth, clientWidth } = document.documentElement;
		const wide = Math.max(scrollWidth, document.body.scrollWidth);
		if (
			wide <= clientWidth &&
			clientWidth <= screen.width &&
			innerWidth <= clientWidth + 20
		)
			return [];
		const guilty = [...document.querySelectorAll("body *")].filter(
			(one) =>
				one.checkVisibility() &&
				one.getBoundingClientRect().right > clientWidth + 0.5,
		);
		return [
			`${wide} > ${clientWidth}`,
			...guilty.map((one) => `${one.localName}.${one.className}`),
		];
	});
}

/** Targets smaller than `size` pixels or covered. The height of links in sentences is exempt. */
export function unreachableTargets(
	page: Page,
	size: number,
): Promise<string[]> {
	return page.evaluate((size) => {
		const TARGETS =
			"a[href]:not(.skip-link), button, summary, input:not([type=hidden]), [role=option]";
		const over = [...document.querySelectorAll("dialog, [role=listbox]")].find(
			(one) => one.checkVisibility(),
		);
		const inSentence = (one: Element) =>
			getComputedStyle(one).display === "inline" &&
			[...(one.parentElement?.childNodes ?? [])].some(
				(node) => node.nodeType === 3 && node.nodeValue?.trim(),
			);
		const canBeMissed = (target: Element): boolean => {
			target.scrollIntoView({
				block: "center",
				inline: "nearest",
				behavior: "instant",
			});
			// The label of a checkbox is part of its target.
			const aim = target.matches("[type=checkbox]")
				? target.parentElement
				: null;
			const { left, top, width, height } = (
				aim ?? target
			).getBoundingClientRect();
			const half = Math.max(0, size / 2 - 1);
			return [
				[0, 0],
				[-half, 0],
				[half, 0],
				[0, -half],
				[0, half],
			].some(([x = 0, y = 0]) => {
				const hit = document.elementFromPoint(
					left + width / 2 + x,
					top + height / 2 + y,
				);
				// A toast disappears after some seconds.
				return (
					hit === null ||
					!(
						target.contains(hit) ||
						hit.closest("label")?.control === target ||
						hit.closest(".toast")
					)
				);
			});
		};
		return [...document.querySelectorAll(TARGETS)]
			.filter((one) =>
				one.checkVisibility({
					opacityProperty: true,
					visibilityProperty: true,
				}),
			)
			.filter(
				(one) =>
					one.closest("[inert]") === null &&
					getComputedStyle(one).pointerEvents !== "none",
			)
			.filter(
				(one) =>
					(over?.contains(one) ?? true) &&
					(size <= 1 || !inSentence(one)) &&
					canBeMissed(one),
			)
			.map((one) => one.outerHTML.slice(0, 160));
	}, size);
}

/** Pairs of targets that share pixels. A press there would reach the second one. */
export function overlappingTargets(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const targets = [
			...document.querySelectorAll(
				"a[href]:not(.skip-link), button, summary, input:not([type=hidden])",
			),
		].filter(
			(one) =>
				one.checkVisibility({ opacityProperty: true }) &&
				one.closest(".toast, [inert]") === null &&
				!document.querySelector("dialog[open]"),
		);
		return targets.flatMap((one, at) =>
			targets.slice(at + 1).flatMap((other) => {
				const [a, b] = [one, other].map((two) => two.getBoundingClientRect());
				if (a === undefined || b === undefined) return [];
				const across = Math.min(a.right, b.right) - Math.max(a.left, b.left);
				const along = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
				return across > 0.5 && along > 0.5
					? [
							`${along}: ${one.outerHTML.slice(0, 120)} | ${other.outerHTML.slice(0, 120)}`,
						]
					: [];
			}),
		);
	});
}

export function smallText(page: Page): Promise<string[]> {
	return page.evaluate(
		([field = 0, letter = 0]) => {
			const hasText = (one: Element) =>
				[...one.childNodes].some(
					(node) => node.nodeType === 3 && node.nodeValue?.trim(),
				);
			const least = (one: Element) =>
				one.matches("input") ? field : hasText(one) ? letter : 0;
			return [...document.querySelectorAll("body *")]
				.filter(
					(one) =>
						one.checkVisibility() &&
						Number.parseFloat(getComputedStyle(one).fontSize) < least(one),
				)
				.map((one) => one.outerHTML.slice(0, 120));
		},
		[MIN_FIELD_PX, MIN_LETTER_PX],
	);
}

/** Titles whose letters are smaller than those of a paragraph. */
export function smallTitles(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const sizeOf = (one: Element) =>
			Number.parseFloat(getComputedStyle(one).fontSize);
		const largest = Math.max(
			...[...document.querySelectorAll("p:not(.step__title)")]
				.filter((one) => one.checkVisibility())
				.map(sizeOf),
		);
		return [...document.querySelectorAll("h1:not(.visually-hidden)")]
			.filter((one) => sizeOf(one) < largest)
			.map((one) => `${sizeOf(one)} < ${largest}: ${one.outerHTML}`);
	});
}

/** Animations that are longer than allowed. */
export function longAnimations(page: Page): Promise<string[]> {
	return page.evaluate((max) => {
		const effects = document
			.getAnimations()
			.map(({ effect }) => effect as KeyframeEffect);
		return (
			effects
				.filter(
					(effect) => Number(effect.getComputedTiming().activeDuration) > max,
				)
				// The SDK fades its frames in.
				.flatMap(({ target }) =>
					target === null || target.localName === "iframe"
						? []
						: [target.outerHTML.slice(0, 120)],
				)
		);
	}, MAX_MOTION_MS);
}

/**
 * Live regions that are not displayed, whose first text screen readers would miss. Alerts are exempt,
 * because they are announced on insertion, and so are regions that never get a text: in closed, failed
 * or finished parts.
 */
export function hiddenLiveRegions(page: Page): Promise<string[]> {
	const SILENT =
		"details:not([open]), dialog:not([open]), [data-islands=failed]";
	return page
		.locator("[role=status], [aria-live]")
		.evaluateAll(
			(elements, silent) =>
				elements
					.filter(
						(element) =>
							!element.closest(silent) && element.getClientRects().length === 0,
					)
					.map((element) => element.outerHTML.slice(0, 120)),
			SILENT,
		);
}

/** In forced colours: buttons and fields without a border, icons (CSS masks) in the page's colour. */
export function invisibleInForcedColors(page: Page): Promise<string[]> {
	return page.evaluate(() => {
		const none = [
			"rgba(0, 0, 0, 0)",
			getComputedStyle(document.documentElement).backgroundColor,
		];
		const isUnseen = (one: Element) => {
			const { borderBlockEndStyle, borderBlockEndWidth, outlineStyle } =
				getComputedStyle(one);
			const hasBorder =
				borderBlockEndStyle !== "none" &&
				Number.parseFloat(borderBlockEndWidth) >= 1;
			const sign = getComputedStyle(one, "::before");
			const hasSign = sign.content !== "none" && sign.maskImage !== "none";
			const needsEdge = one.matches(
				"button, .button, input:not([type=hidden], [type=checkbox])",
			);
			return (
				(needsEdge && !hasBorder && outlineStyle === "none") ||
				(hasSign && none.includes(sign.backgroundColor))
			);
		};
		return [...document.querySelectorAll("body *")]
			.filter(
				(one) =>
					one.checkVisibility({
						opacityProperty: true,
						visibilityProperty: true,
					}) && isUnseen(one),
			)
			.map((one) => one.outerHTML.slice(0, 120));
	});
}
