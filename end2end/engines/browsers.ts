/** Finds and starts WebKit or Firefox, driven by WebDriver. `make setup-tests` installs them. */
import { spawn } from "node:child_process";
import { readdirSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { homedir, tmpdir } from "node:os";
import { join } from "node:path";
import { Builder, Capabilities, type WebDriver } from "selenium-webdriver";
import { findProgram, PATH } from "../chromium.mjs";

// It has no ES module.
const load = createRequire(import.meta.url);
const { DriverService } = load(
	"selenium-webdriver/remote",
) as typeof import("selenium-webdriver/remote");

export type Engine = "webkit" | "firefox";

const PHONE = { width: 400, height: 860 };

/** The paths of an engine's programs. Throws if one is missing. */
export function programsOf(engine: Engine): {
	driver: string;
	browser: string;
	display?: string;
} {
	const find = (names: string[], folders: string[]) => {
		const path = findProgram(names, folders);
		if (path === undefined) throw new Error(`${names[0]} is missing`);
		return path;
	};
	if (engine === "firefox") {
		return {
			driver: find(["geckodriver"], [...foldersOfTool("geckodriver"), ...PATH]),
			browser: find(["firefox-esr", "firefox"], PATH),
		};
	}
	// Debian's folder is named after the architecture.
	const libraries = [
		"/usr/lib",
		"/usr/libexec",
		...foldersIn("/usr/lib"),
		...foldersIn("/usr/lib64"),
	];
	const browser = find(
		["MiniBrowser"],
		libraries.map((folder) => join(folder, "webkit2gtk-4.1")),
	);
	return {
		driver: find(["WebKitWebDriver"], PATH),
		browser,
		display: find(["Xvfb"], PATH),
	};
}

/** The folders with the commands of a tool that `scripts/setup.sh` has installed, in each version. */
function foldersOfTool(name: string): string[] {
	const tools =
		process.env.VINCULA_TOOLS ??
		join(
			process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache"),
			"vincula/tools",
		);
	return foldersIn(tools)
		.filter((folder) => folder.includes(`/${name}-`))
		.map((folder) => join(folder, "bin"));
}

export async function startBrowser(
	engine: Engine,
): Promise<{ driver: WebDriver; stop: () => Promise<void> }> {
	const programs = programsOf(engine);
	// Uses a temporary profile.
	const home = await mkdtemp(join(tmpdir(), "vincula-engine-"));
	const env = {
		PATH: process.env.PATH ?? "",
		LANG: "C.UTF-8",
		TZ: "America/Sao_Paulo",
		HOME: home,
		TMPDIR: home,
	};
	const display =
		programs.display === undefined
			? undefined
			: await startDisplay(programs.display, env);
	const service = new DriverService.Builder(programs.driver)
		.setLoopback(true)
		// WebKit's sandbox needs more privileges than a container has. All pages are the product's.
		.setEnvironment({
			...env,
			...display?.env,
			WEBKIT_DISABLE_SANDBOX_THIS_IS_DANGEROUS: "1",
		})
		.build();
	const driver = await new Builder()
		.usingServer(await service.start())
		.withCapabilities(
			new Capabilities({
				...capabilities(engine, programs.browser),
				acceptInsecureCerts: true,
			}),
		)
		.build();
	await driver.manage().setTimeouts({ pageLoad: 30_000, script: 30_000 });
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
			await rm(home, { recursive: true, force: true });
		},
	};
}

function capabilities(engine: Engine, binary: string): object {
	if (engine === "webkit") {
		return {
			browserName: "MiniBrowser",
			"webkitgtk:browserOptions": { binary, args: ["--automation"] },
		};
	}
	const args = ["-headless", "-width", "1440", "-height", "900"];
	const prefs = {
		"intl.accept_languages": "pt-BR",
		"ui.prefersReducedMotion": 1,
	};
	return {
		browserName: "firefox",
		"moz:firefoxOptions": { binary, args, prefs },
	};
}

/**
 * Starts a display with the size of a phone. Without a window manager the pointer, which is in the
 * middle, determines the focus, so the window fills the display.
 */
async function startDisplay(program: string, env: NodeJS.ProcessEnv) {
	const args = [
		"-displayfd",
		"3",
		"-screen",
		"0",
		`${PHONE.width}x${PHONE.height}x24`,
		"-nolisten",
		"tcp",
	];
	const display = spawn(program, args, {
		env,
		stdio: ["ignore", "ignore", "ignore", "pipe"],
	});
	const stop = () => void display.kill();
	process.once("exit", stop);
	const number = await new Promise<string>((resolve, reject) => {
		display.once("error", reject);
		display.once("exit", (code) =>
			reject(new Error(`Xvfb ended with ${code}`)),
		);
		display.stdio[3]?.once("data", (text: Buffer) =>
			resolve(text.toString().trim()),
		);
	});
	return { env: { DISPLAY: `:${number}`, GDK_BACKEND: "x11" }, stop };
}

function foldersIn(folder: string): string[] {
	try {
		return readdirSync(folder).map((name) => join(folder, name));
	} catch {
		return [];
	}
}
