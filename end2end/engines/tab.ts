/** A browser tab as a person uses it: elements by role and name, as the engine computes them, and the keyboard. */

import { expect } from "@playwright/test";
import { By, error, type WebDriver, type WebElement } from "selenium-webdriver";
import { whyFocusIsUnseen } from "../support/focus.ts";

/** Candidates, whose role and name the engine computes. */
const ELEMENTS = "a[href], button, input, h1, [role]";

const CONNECT = 'iframe[title="Pluggy"]:not([aria-hidden])';

export class Tab {
	readonly #driver: WebDriver;
	readonly #origin: string;

	constructor(driver: WebDriver, origin: string) {
		this.#driver = driver;
		this.#origin = origin;
	}

	/** Opens a page without an earlier session. */
	async open(path: string): Promise<void> {
		await this.#driver.get(`${this.#origin}/healthz`);
		await this.#driver.manage().deleteAllCookies();
		await this.#driver.get(this.#origin + path);
	}

	/** Waits until the page at this path works. */
	async isAt(path: string): Promise<void> {
		await poll("the address", async () =>
			(await this.#driver.getCurrentUrl()).replace(this.#origin, ""),
		).toBe(path);
		const works = () =>
			this.#driver.executeScript(
				`return document.body.matches(":not([data-page=entry])") &&
					(document.body.matches("[data-islands=alive]") || !document.querySelector("leptos-island, [data-react]"))`,
			);
		await poll("the islands are hydrated", works).toBe(true);
	}

	/** Waits until such an element is visible and not busy. */
	async get(role: string, name: RegExp): Promise<WebElement> {
		let found: WebElement | undefined;
		await poll(`${role} ${name}`, async () => {
			found = await this.#look(role, name);
			return found !== undefined;
		}).toBe(true);
		if (found === undefined) throw new Error("found by the poll above");
		return found;
	}

	async click(role: string, name: RegExp): Promise<void> {
		await (await this.get(role, name)).click();
	}

	async write(role: string, name: RegExp, text: string): Promise<void> {
		await (await this.get(role, name)).sendKeys(text);
	}

	async hasText(text: string): Promise<void> {
		await poll("the text on the screen", () =>
			this.#driver.executeScript("return document.body.innerText"),
		).toContain(text);
	}

	/** Presses keys, and expects a visible focus on this element. */
	async reach(keys: string[], role: string, name: RegExp): Promise<void> {
		await this.press(...keys);
		await poll("the focus", async () => {
			const focused = await this.#focused();
			return [await focused.getAriaRole(), await focused.getAccessibleName()];
		}).toEqual([role, expect.stringMatching(name)]);
		await poll(`the focus is seen on ${role} ${name}`, async () =>
			this.#driver.executeScript(whyFocusIsUnseen, await this.#focused()),
		).toBe("");
	}

	async press(...keys: string[]): Promise<void> {
		for (const key of keys)
			await this.#driver.actions().sendKeys(key).perform();
	}

	async hasValue(role: string, name: RegExp, value: string): Promise<void> {
		await poll("the value", async () =>
			(await this.get(role, name)).getAttribute("value"),
		).toBe(value);
	}

	/** Waits for Connect's frame, and runs `act` in it. */
	async inConnect(act: () => Promise<void>): Promise<void> {
		await poll("Connect’s frame", async () => {
			const frame = await this.#driver.findElement(By.css(CONNECT));
			await this.#driver.switchTo().frame(frame);
			return true;
		}).toBe(true);
		await act();
		await this.#driver.switchTo().defaultContent();
	}

	async picture(): Promise<Buffer> {
		await this.#driver.switchTo().defaultContent();
		return Buffer.from(await this.#driver.takeScreenshot(), "base64");
	}

	#focused(): Promise<WebElement> {
		return this.#driver.switchTo().activeElement();
	}

	async #look(role: string, name: RegExp): Promise<WebElement | undefined> {
		for (const element of await this.#driver.findElements(By.css(ELEMENTS))) {
			// WebKit fails for the role of a hidden element.
			if (
				(await element.isDisplayed()) &&
				(await element.getAriaRole()) === role &&
				name.test(await element.getAccessibleName()) &&
				(await element.getAttribute("aria-busy")) !== "true"
			)
				return element;
		}
		return undefined;
	}
}

function poll<T>(message: string, look: () => Promise<T>) {
	const settled = async () => {
		try {
			return await look();
		} catch (problem) {
			// During a navigation there is no document, and each driver has a different error for it.
			if (problem instanceof error.WebDriverError) return undefined;
			throw problem;
		}
	};
	return expect.poll(settled, { intervals: [50, 100], message });
}
