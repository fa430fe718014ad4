/** Finds WebKit and Firefox, and starts them with WebDriver. `scripts/setup.sh engines` installs them on Debian. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { homedir } from "node:os";
import { join } from "node:path";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";
import { findProgram, PATH } from "../chromium.mjs";

// It has no ES module.
const { DriverService } = createRequire(import.meta.url)(
	"selenium-webdriver/remote",
) as typeof import("selenium-webdriver/remote");

export const ENGINES = ["webkit", "firefox"] as const;
export type Engine = (typeof ENGINES)[number];

const PHONE = { width: 400, height: 860 };

/** Returns an engine's programs, or undefined if one of them is missing. */
export function programsOf(engine: Engine) {
	// On Debian the folder is named after the architecture.
	const libraries = ["/usr/lib", "/usr/libexec", ...foldersIn("/usr/lib")];
	const [driver, browser, display] =
		engine === "webkit"
			? [
					findProgram(["WebKitWebDriver"], PATH),
					findProgram(["webkit2gtk-4.1/MiniBrowser"], libraries),
					findProgram(["Xvfb"], PATH),
				]
			: [
					findProgram(["geckodriver"], [...PATH, ...foldersOfTools()]),
					findProgram(["firefox-esr", "firefox"], PATH),
					"not needed",
				];
	return driver && browser && display
		? { driver, browser, display }
		: undefined;
}

export async function startBrowser(
	engine: Engine,
): Promise<{ driver: WebDriver; stop: () => Promise<void> }> {
	const programs = programsOf(engine);
	if (programs === undefined) throw new Error(`${engine} is missing`);
	const display =
		engine === "webkit" ? await startDisplay(programs.display) : undefined;
	const service = new DriverService.Builder(programs.driver)
		.setLoopback(true)
		.setEnvironment({
			...(process.env as Record<string, string>),
			...display?.env,
			// WebKit's sandbox needs more privileges than a container has. All pages are the product's.
			WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
		})
		.build();
	const driver = await new Builder()
		.usingServer(await service.start())
		.withCapabilities(new Capabilities(capabilities(engine, programs.browser)))
		.build();
	if (engine === "webkit")
		await driver
			.manage()
			.window()
			.setRect({ x: 0, y: 0, ...PHONE });
	return {
		driver,
		stop: async () => {
			await driver.quit();
			await service.kill();
			display?.stop();
		},
	};
}

function capabilities(engine: Engine, binary: string): object {
	return engine === "webkit"
		? {
				browserName: "MiniBrowser",
				"webkitgtk:browserOptions": { binary, args: ["--automation"] },
			}
		: {
				browserName: "firefox",
				"moz:firefoxOptions": {
					binary,
					args: ["-headless", "-width", "1440", "-height", "900"],
				},
			};
}

/**
 * Starts a display with the size of a phone. Without a window manager the pointer, which is in the middle, determines the
 * focus, so the window fills the display.
 */
async function startDisplay(program: string) {
	const screen = `${PHONE.width}x${PHONE.height}x24`;
	const display = spawn(program, ["-displayfd", "1", "-screen", "0", screen], {
		stdio: ["ignore", "pipe", "ignore"],
	});
	const stop = () => void display.kill();
	process.once("exit", stop);
	const [number] = (await once(display.stdout, "data")) as [Buffer];
	const env = { DISPLAY: `:${String(number).trim()}`, GDK_BACKEND: "x11" };
	return { env, stop };
}

/** The folders of the tools that `scripts/setup.sh` builds. */
function foldersOfTools(): string[] {
	const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
	const tools = process.env.VINCULA_TOOLS ?? join(cache, "vincula/tools");
	return foldersIn(tools).map((folder) => join(folder, "bin"));
}

function foldersIn(folder: string): string[] {
	try {
		return readdirSync(folder).map((name) => join(folder, name));
	} catch {
		return [];
	}
}
