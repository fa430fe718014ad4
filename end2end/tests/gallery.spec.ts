/**
 * Every screen in every state (`src/gallery/states.rs`): nothing jumps, everything fits, targets can be
 * hit, and axe finds nothing.
 */
import type { Locator, Page } from "@playwright/test";
import { expect, test } from "../support/fixtures.ts";
import { readStates, type State } from "../support/gallery.ts";
import { drawn, findings, shifts } from "../support/page.ts";

const MIN_TARGET_PX = 44;
/** iOS zooms into fields with a smaller font. */
const MIN_FIELD_PX = 16;
const MIN_LETTER_PX = 14;
/** The style sheet cuts all motion to 1 ms for a person with reduced motion. */
const MAX_MOTION_MS = 10;

type Screen = {
	/** The screen's part of the browser's title. */
	title: string;
	/** The image next to it; absent if there is none. */
	image?: "default" | "select-bank" | "success" | "cancel" | "cancelled";
	/** The element with the initial focus; absent if it is in a dialog, or the screen is loading. */
	focus?: "heading";
};

/** One state of each screen. */
const SCREENS = new Map<string, Screen>([
	["entry-validating", { title: "Abrindo o seu link", image: "default" }],
	["consent", { title: "Autorizar acesso", focus: "heading" }],
	[
		"accounts-empty",
		{ title: "Contas integradas", image: "default", focus: "heading" },
	],
	[
		"accounts-many",
		{ title: "Contas integradas", image: "default", focus: "heading" },
	],
	[
		"bank-form",
		{ title: "Banco e administrador", image: "select-bank", focus: "heading" },
	],
	["connect-open", { title: "Conectar ao banco" }],
	["connect-update-open", { title: "Atualizar integração" }],
	[
		"success-new",
		{ title: "Integração concluída", image: "success", focus: "heading" },
	],
	[
		"cancel-list",
		{ title: "Cancelar integrações", image: "cancel", focus: "heading" },
	],
	[
		"cancel-success",
		{ title: "Integrações canceladas", image: "cancelled", focus: "heading" },
	],
	[
		"token-expired",
		{ title: "O prazo deste link acabou", image: "cancel", focus: "heading" },
	],
	[
		"not-found",
		{ title: "Página não encontrada", image: "cancel", focus: "heading" },
	],
	[
		"accessibility",
		{ title: "Acessibilidade", image: "default", focus: "heading" },
	],
]);

const STATES = await readStates();

/** Movements by design: a late notice, the second line of a status, the card under Connect's window. */
const MAY_JUMP = [
	"wasm-broken",
	"accounts-stale",
	"accounts-waiting",
	"connect-update-open",
];

test.use({ mode: "sandbox" });
// axe is slow on a busy machine.
test.describe.configure({ timeout: 90_000 });

test("the gallery has every screen", async ({ baseURL: _ }) => {
	expect(STATES.map(({ slug }) => slug)).toEqual(
		expect.arrayContaining([...SCREENS.keys()]),
	);
});

for (const state of STATES) {
	const { slug } = state;
	const screen = SCREENS.get(slug);
	const sizes = screen ? " @both-sizes" : "";
	test(`${slug}: nothing jumps, everything fits and is accessible${sizes}`, async ({
		page,
		isMobile,
		browserErrors,
	}) => {
		if (slug.startsWith("not-found")) browserErrors.expect(/status of 404/);
		await open(page, state);
		if (!MAY_JUMP.includes(slug))
			expect.soft(await shifts(page), "jumps").toEqual([]);
		if (screen) await expectScreen(page, screen, isMobile);
		expect.soft(await englishWords(page), "English").toEqual([]);
		expect.soft(await findings(page), "axe").toEqual([]);
		expect
			.soft(await hiddenRegions(page), "live regions that are not displayed")
			.toEqual([]);
		expect.soft(await motions(page), "motion").toEqual([]);
		expect.soft(await smallLetters(page), "small letters").toEqual([]);
		expect
			.soft(await outOfReach(page, MIN_TARGET_PX), "small targets")
			.toEqual([]);
		if (!isMobile) {
			await page.setViewportSize({ width: 768, height: 1024 });
			expect.soft(await sticksOut(page), "wider than 768 px").toEqual([]);
			return;
		}
		await page.emulateMedia({ colorScheme: "dark" });
		expect
			.soft(
				await findings(page, "color-contrast"),
				"axe in the dark colour scheme",
			)
			.toEqual([]);
		await page.emulateMedia({ forcedColors: "active" });
		expect.soft(await unseen(page), "invisible in forced colours").toEqual([]);
		await page.evaluate(() =>
			document.documentElement.style.setProperty("font-size", "200%"),
		);
		expect
			.soft(await sticksOut(page), "wider than the phone with text at 200 %")
			.toEqual([]);
		expect
			.soft(
				await outOfReach(page, 1),
				"targets out of reach with text at 200 %",
			)
			.toEqual([]);
		await page.evaluate(() =>
			document.documentElement.style.removeProperty("font-size"),
		);
		// The size of a 1280×1024 window at 400 % zoom.
		await page.setViewportSize({ width: 320, height: 256 });
		expect.soft(await sticksOut(page), "beyond 320 px").toEqual([]);
		expect
			.soft(await outOfReach(page, 1), "out of reach at 320×256")
			.toEqual([]);
		if (await retryButton(page).isVisible())
			await expectFocusAfterRetries(page);
	});
}

/** Retries the failed call twice, and expects that the focus is never lost. */
async function expectFocusAfterRetries(page: Page): Promise<void> {
	for (const what of ["the first time", "once more"]) {
		await retryButton(page).press("Enter");
		await drawn(page);
		expect
			.soft(await focused(page), `the focus after the press, ${what}`)
			.not.toBe("body");
		await expect(retryButton(page)).not.toHaveAttribute("aria-busy", "true");
		await drawn(page);
		expect
			.soft(await focused(page), `the focus after the answer, ${what}`)
			.not.toBe("body");
	}
}

function retryButton(page: Page): Locator {
	return page.getByRole("button", { name: "Tentar de novo" });
}

function focused(page: Page): Promise<string> {
	return page.evaluate(() => document.activeElement?.localName ?? "body");
}

/**
 * Opens a state as on a very slow network: it is painted long before fonts, images and scripts arrive,
 * and its islands work long before data arrives, unless the state acts earlier.
 */
async function open(page: Page, { slug, shows }: State): Promise<void> {
	await page.addInitScript(() => {
		const responsesHeld = new Promise<void>((sendResponses) =>
			Object.assign(window, { sendResponses }),
		);
		Object.assign(window, { responsesHeld });
	});
	const sendResponses = () =>
		page.evaluate(() =>
			(window as unknown as { sendResponses: () => void }).sendResponses(),
		);
	const hold = async (files: RegExp) => {
		let send = () => {};
		const sent = new Promise<void>((resolve) => (send = resolve));
		await page.route(files, (route) => sent.then(() => route.fallback()));
		return send;
	};
	const sendFont = await hold(/\.woff2$/);
	const sendFiles = await hold(/\.(js|wasm|svg|png)$/);
	await page.goto(`/sandbox/screens/${slug}`, { waitUntil: "commit" });
	await page.waitForFunction(
		() => performance.getEntriesByName("first-contentful-paint").length > 0,
	);
	const acts = await page.evaluate(() => {
		const played =
			document.querySelector<HTMLElement>("[data-play]")?.dataset.play ?? "";
		return (JSON.parse(played) as { acts: unknown[] }).acts.length > 0;
	});
	if (acts) await sendResponses();
	sendFont();
	await page.evaluate(() => document.fonts.load("1em Inter"));
	await drawn(page);
	await page.evaluate(() => {
		// Without Arial or Roboto the fallback font is not as wide as Inter, so the font moves the text.
		const fallbacks = [...document.fonts].filter(
			({ family, status }) =>
				family.includes("Inter as") && status === "loaded",
		);
		if (fallbacks.length === 0) performance.mark("font");
	});
	sendFiles();
	const alive = [
		"body:is([data-islands=alive], [data-islands=failed])",
		"body:not(:has(leptos-island, [data-react]))",
		"#islands-failed:not([hidden])",
	];
	await page.locator(alive.join()).first().waitFor();
	await drawn(page);
	await sendResponses();
	await page.locator("html[data-performed]").waitFor();
	await expect(page.locator(shows).first()).toBeVisible();
	await drawn(page);
}

async function expectScreen(
	page: Page,
	{ title, image, focus }: Screen,
	isMobile: boolean,
): Promise<void> {
	await expect(page).toHaveTitle(
		new RegExp(`^${title} — (Vincula|Contábil Horizonte)$`),
	);
	// Connect's dialog covers it.
	const heading = page.locator("h1:not([hidden] *)");
	await expect(heading).toHaveCount(1);
	if (focus === "heading") await expect(heading).toBeFocused();
	await expect(page.getByRole("banner")).toHaveCount(
		image === undefined ? 0 : 1,
	);
	const pictures = page.locator("aside img");
	await expect(pictures).toHaveCount(image === undefined ? 0 : 1);
	if (image === undefined) return;
	await expect(pictures).toHaveAttribute(
		"src",
		new RegExp(`/illustrations/${image}\\.`),
	);
	await expect(pictures).toBeVisible({ visible: !isMobile });
}

/** English words in visible text or in text for screen readers, which must be Portuguese. */
function englishWords(page: Page): Promise<string[]> {
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
function sticksOut(page: Page): Promise<string[]> {
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
function outOfReach(page: Page, size: number): Promise<string[]> {
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

function smallLetters(page: Page): Promise<string[]> {
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

/** Animations that are longer than allowed. */
function motions(page: Page): Promise<string[]> {
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
function hiddenRegions(page: Page): Promise<string[]> {
	const SILENT =
		"details:not([open]), dialog:not([open]), [data-islands=failed], [data-react][hidden], #entry-waiting[hidden] *";
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
function unseen(page: Page): Promise<string[]> {
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
