/** A browser tab as a person uses it: elements by role and name, keyboard, URL and history. */
import { expect } from "@playwright/test";
import { By, error, type WebDriver, type WebElement } from "selenium-webdriver";
import { CONSENT } from "../support/steps.ts";

export const ADMIN_NAME = /Nome completo do administrador/;
export const ADMIN_CPF = /CPF do administrador/;
export const BANK = /Banco/;

/** Candidates, whose role and name the engine computes. */
const ELEMENTS = "a[href], button, input, h1, dialog, [role]";

type Text = string | RegExp;

const CONNECT =
	'iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]';

export class Tab {
	readonly #driver: WebDriver;
	readonly #origin: string;

	constructor(driver: WebDriver, origin: string) {
		this.#driver = driver;
		this.#origin = origin;
	}

	open = (path: string): Promise<void> => this.#driver.get(this.#origin + path);
	back = (): Promise<void> => this.#driver.navigate().back();

	/** Runs in the page; a function gets the focused element. */
	async run<T>(script: string | ((focused: Element) => T)): Promise<T> {
		const focused =
			typeof script === "string"
				? []
				: [await this.#driver.switchTo().activeElement()];
		return this.#driver.executeScript<T>(script, ...focused);
	}

	/** Expects this path in the address bar, with query and fragment. */
	async isAt(path: Text): Promise<void> {
		await poll("the address", async () =>
			(await this.#driver.getCurrentUrl()).replace(this.#origin, ""),
		).toEqual(like(path));
	}

	/** Waits until the islands of a page are hydrated; skips the entry page, which navigates on. */
	async waitForHydration(): Promise<void> {
		const hydrated = () =>
			this.run(
				"return document.body?.matches(`[data-islands=alive]:not([data-page=entry])`)",
			);
		await poll("the islands are hydrated", hydrated).toBe(true);
	}

	/** Waits until such an element is visible. */
	async get(role: string, name: Text): Promise<WebElement> {
		let found: WebElement | undefined;
		await poll(`${role} ${name}`, async () => {
			found = await this.#look(role, name);
			return found !== undefined;
		}).toBe(true);
		if (found === undefined) throw new Error("found by the poll above");
		return found;
	}

	async click(role: string, name: Text): Promise<void> {
		await (await this.get(role, name)).click();
	}

	/** Waits until a field is not busy; the bank's field is busy until the list has loaded. */
	async getEditable(role: string, name: Text): Promise<WebElement> {
		const field = await this.get(role, name);
		const isBusy = () =>
			this.#driver.executeScript(
				'return arguments[0].getAttribute("aria-busy")',
				field,
			);
		await poll(`${role} ${name} is not busy`, isBusy).toBe(null);
		return field;
	}

	async write(role: string, name: Text, text: string): Promise<void> {
		await (await this.getEditable(role, name)).sendKeys(text);
	}

	/** Expects that this text is visible or, with `not`, that it is not. */
	async hasText(words: string, { not = false } = {}): Promise<void> {
		const text = () => this.run<string>("return document.body.innerText");
		const wanted = (not ? expect.not : expect).stringContaining(words);
		await poll("the text on the screen", text).toEqual(wanted);
	}

	async press(...keys: string[]): Promise<void> {
		try {
			for (const key of keys)
				await this.#driver.actions().sendKeys(key).perform();
		} catch (problem) {
			// The frame in which the key was pressed may be gone when it is released.
			if (!(problem instanceof error.NoSuchWindowError)) throw problem;
		}
	}

	/** Expects the focus on this element. */
	async hasFocus(role: string, name: Text): Promise<void> {
		const focused = async () => {
			const element = await this.#driver.switchTo().activeElement();
			return [await element.getAriaRole(), await element.getAccessibleName()];
		};
		await poll("the focus", focused).toEqual([role, like(name)]);
	}

	/** Waits for Connect's frame, and runs `act` in it. */
	async inConnect<T>(act: () => Promise<T>): Promise<T> {
		const enter = async () => {
			await this.#driver.switchTo().defaultContent();
			await this.#driver
				.switchTo()
				.frame(await this.#driver.findElement(By.css(CONNECT)));
			return true;
		};
		await poll("Connect’s frame", enter).toBe(true);
		try {
			return await act();
		} finally {
			await this.#driver.switchTo().defaultContent();
		}
	}

	/** Runs `act` in a second tab, and closes that. */
	async inSecondTab(act: () => Promise<void>): Promise<void> {
		const first = await this.#driver.getWindowHandle();
		await this.#driver.switchTo().newWindow("tab");
		try {
			await act();
		} finally {
			await this.#driver.close();
			await this.#driver.switchTo().window(first);
		}
	}

	async picture(): Promise<Buffer> {
		await this.#driver.switchTo().defaultContent();
		return Buffer.from(await this.#driver.takeScreenshot(), "base64");
	}

	/**
	 * Starts the site's accessibility tree, as Firefox does when a page is first asked for a role. If a modal dialog is open
	 * at that time, Firefox gives its content the role "none".
	 */
	async begin(): Promise<void> {
		await this.open("/healthz");
		await this.#driver.findElement(By.css("html")).getAriaRole();
	}

	/** Resets the browser for the next test. */
	async leave(): Promise<void> {
		await this.#driver.switchTo().defaultContent();
		// A page of the same site that makes no requests while the cookies are deleted.
		await this.open("/healthz");
		await this.#driver.manage().deleteAllCookies();
	}

	async #look(role: string, name: Text): Promise<WebElement | undefined> {
		for (const element of await this.#driver.findElements(By.css(ELEMENTS))) {
			// WebKit fails for the role of a hidden element.
			if (
				!(await element.isDisplayed()) ||
				(await element.getAriaRole()) !== role
			)
				continue;
			const given = await element.getAccessibleName();
			if (typeof name === "string" ? given === name : name.test(given))
				return element;
		}
		return undefined;
	}
}

/** Goes from the consent to the accounts. */
export async function giveConsent(tab: Tab): Promise<void> {
	await tab.waitForHydration();
	await tab.click("checkbox", /./);
	await tab.click("button", CONSENT);
	await tab.isAt("/integration/accounts");
}

/** Polls more often than Playwright, whose intervals increase to one second. */
function poll<T>(message: string, look: () => Promise<T>) {
	const settled = async () => {
		try {
			return await look();
		} catch (problem) {
			// During a navigation there is no document, and each driver has a different error for it.
			if (
				problem instanceof error.WebDriverError &&
				!(problem instanceof error.NoSuchSessionError)
			)
				return undefined;
			throw problem;
		}
	};
	return expect.poll(settled, { intervals: [50, 100], message });
}

function like(text: Text): unknown {
	return typeof text === "string" ? text : expect.stringMatching(text);
}
