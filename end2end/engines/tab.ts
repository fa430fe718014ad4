/** A browser tab as a user operates it: elements by role and name, keyboard, address and history. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { expect } from '@playwright/test';
import { By, error, Key, type WebDriver, type WebElement } from 'selenium-webdriver';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** As in tests/accessibility.spec.ts. */
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Candidates for each role; the engine computes their actual role and name. */
const SELECTORS = {
  alertdialog: '[role=alertdialog], dialog',
  button: 'button',
  checkbox: 'input[type=checkbox]',
  combobox: 'input[role=combobox]',
  dialog: '[role=dialog], dialog',
  heading: 'h1',
  link: 'a[href]',
  option: '[role=option]',
  textbox: 'input',
} as const;

export type Role = keyof typeof SELECTORS;

/** Playwright's default intervals increase to one second. */
const OFTEN = { intervals: [50, 100] };

const CONNECT = 'iframe[title="Pluggy"][name^="__zoid__pluggy_connect_widget__"]';

export class Tab {
  readonly #driver: WebDriver;
  readonly #origin: string;

  constructor(driver: WebDriver, origin: string) {
    this.#driver = driver;
    this.#origin = origin;
  }

  async open(path: string): Promise<void> {
    await this.#driver.get(this.#origin + path);
  }

  async back(): Promise<void> {
    await this.#driver.navigate().back();
  }

  /** Expects this path in the address bar, with query and fragment. */
  async isAt(path: string | RegExp): Promise<void> {
    const address = async () => (await this.#driver.getCurrentUrl()).replace(this.#origin, '');
    const there = expect.poll(address, { ...OFTEN, message: 'the address' });
    await (typeof path === 'string' ? there.toBe(path) : there.toMatch(path));
  }

  /** Waits until the islands of a page are hydrated; skips the entry page, which navigates on. */
  async waitForHydration(): Promise<void> {
    const hydrated = () => this.#driver.executeScript('return document.body?.matches(`[data-islands=alive]:not([data-page=entry])`)');
    await expect.poll(settled(hydrated), { ...OFTEN, message: 'the islands are hydrated' }).toBe(true);
  }

  /** Waits until there is such an element on the screen. */
  async get(role: Role, name: string | RegExp): Promise<WebElement> {
    let found: WebElement | undefined;
    const look = async () => (found = await this.#look(role, name)) !== undefined;
    await expect.poll(settled(look), { ...OFTEN, message: `${role} ${name}` }).toBe(true);
    if (found === undefined) throw new Error('found by the poll above');
    return found;
  }

  async click(role: Role, name: string | RegExp): Promise<void> {
    await (await this.get(role, name)).click();
  }

  /** Writes into a field, once that can be written in: the bank's waits for the list. */
  async write(role: Role, name: string | RegExp, text: string): Promise<void> {
    const field = await this.get(role, name);
    const isReadOnly = () => this.#driver.executeScript('return arguments[0].readOnly', field);
    await expect.poll(settled(isReadOnly), { ...OFTEN, message: `${role} ${name} can be written in` }).toBe(false);
    await field.sendKeys(text);
  }

  async hasNone(role: Role, name: string | RegExp): Promise<void> {
    await expect.poll(settled(() => this.#look(role, name)), { ...OFTEN, message: `no ${role} ${name}` }).toBeUndefined();
  }

  /** Expects this text on the screen. */
  async hasText(words: string | RegExp): Promise<void> {
    const read = () => this.#driver.executeScript<string>('return document.body.innerText');
    const held = typeof words === 'string' ? expect.stringContaining(words) : expect.stringMatching(words);
    await expect.poll(settled(read), { ...OFTEN, message: 'the words on the screen' }).toEqual(held);
  }

  async hasNoText(words: string): Promise<void> {
    const reads = () => this.#driver.executeScript(`return document.body.innerText.includes(arguments[0])`, words);
    await expect.poll(settled(reads), { ...OFTEN, message: `"${words}" on the screen` }).toBe(false);
  }

  async press(...keys: string[]): Promise<void> {
    try {
      for (const key of keys) await this.#driver.actions().sendKeys(key).perform();
    } catch (problem) {
      // The frame in which the key was pressed may be gone when it is released.
      if (!(problem instanceof error.NoSuchWindowError)) throw problem;
    }
  }

  async pressBack(): Promise<void> {
    await this.#driver.actions().keyDown(Key.SHIFT).sendKeys(Key.TAB).keyUp(Key.SHIFT).perform();
  }

  /** Expects the focus on this element. */
  async hasFocus(role: Role, name: string | RegExp): Promise<void> {
    const inspect = async () => {
      const element = await this.#driver.switchTo().activeElement();
      return [await element.getAriaRole(), await element.getAccessibleName()];
    };
    const held = typeof name === 'string' ? name : expect.stringMatching(name);
    await expect.poll(settled(inspect), { ...OFTEN, message: 'the focus' }).toEqual([role, held]);
  }

  /** Runs a function in the page, on the focused element. */
  async ofFocus<T>(run: (element: Element) => T): Promise<T> {
    return this.#driver.executeScript<T>(run, await this.#driver.switchTo().activeElement());
  }

  async run<T>(script: string): Promise<T> {
    return this.#driver.executeScript<T>(script);
  }

  /** Waits for Connect's frame, and runs `act` in it. */
  async inConnect<T>(act: () => Promise<T>): Promise<T> {
    const enter = async () => {
      await this.#driver.switchTo().defaultContent();
      const [frame] = await this.#driver.findElements(By.css(CONNECT));
      if (frame === undefined) return false;
      await this.#driver.switchTo().frame(frame);
      return true;
    };
    await expect.poll(settled(enter), { ...OFTEN, message: 'Connect’s frame' }).toBe(true);
    try {
      return await act();
    } finally {
      await this.#driver.switchTo().defaultContent();
    }
  }

  /** Runs `act` in a second tab, and closes that. */
  async inSecondTab(act: () => Promise<void>): Promise<void> {
    const own = await this.#driver.getWindowHandle();
    await this.#driver.switchTo().newWindow('tab');
    try {
      await act();
    } finally {
      await this.#driver.close();
      await this.#driver.switchTo().window(own);
    }
  }

  /** Expects no findings of axe after all finite animations, without Pluggy's frames. */
  async isAccessible(): Promise<void> {
    const found = await this.#driver.executeScript<string[]>(`${AXE}
      const passing = document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime !== Infinity);
      return Promise.allSettled(passing.map(({ finished }) => finished))
        .then(() => axe.run({ exclude: ['iframe'] }, { runOnly: ${JSON.stringify(RULES)} }))
        .then(({ violations }) => violations.map(({ id, nodes }) => id + ': ' + nodes.map(({ html }) => html).join(' | ')));`);
    expect(found, 'what axe finds').toEqual([]);
  }

  async picture(): Promise<Buffer> {
    await this.#driver.switchTo().defaultContent();
    return Buffer.from(await this.#driver.takeScreenshot(), 'base64');
  }

  /** Resets the browser for the next test. */
  async leave(): Promise<void> {
    await this.#driver.switchTo().defaultContent();
    // A page of the same site that makes no requests while its cookies are deleted.
    await this.#driver.get(`${this.#origin}/healthz`);
    await this.#driver.manage().deleteAllCookies();
  }

  async #look(role: Role, name: string | RegExp): Promise<WebElement | undefined> {
    for (const element of await this.#driver.findElements(By.css(SELECTORS[role]))) {
      // WebKit fails for the name of a hidden element.
      const own = await element.getAccessibleName().catch(() => '');
      const matches = typeof name === 'string' ? own === name : name.test(own);
      if (matches && (await element.getAriaRole()) === role && (await element.isDisplayed())) return element;
    }
    return undefined;
  }
}

/** During a navigation there is no document to inspect, for which each driver has its own error. */
function settled<T>(look: () => Promise<T>): () => Promise<T | undefined> {
  return async () => {
    try {
      return await look();
    } catch (problem) {
      if (problem instanceof error.WebDriverError && !(problem instanceof error.NoSuchSessionError)) return undefined;
      throw problem;
    }
  };
}
