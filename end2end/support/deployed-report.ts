/** A reporter for a deployed product, where many tests are left out: it lists and counts only those that ran. */
import { stripVTControlCharacters } from "node:util";
import type {
	Reporter,
	TestCase,
	TestError,
	TestResult,
} from "@playwright/test/reporter";

class DeployedReport implements Reporter {
	#counts = { passed: 0, failed: 0, skipped: 0 };

	onTestEnd(test: TestCase, { status, errors, duration }: TestResult): void {
		const outcome =
			status === "passed" || status === "skipped" ? status : "failed";
		this.#counts[outcome] += 1;
		if (outcome === "skipped") return;
		const title = test.titlePath().slice(1).join(" › ");
		const mark = outcome === "passed" ? "✓" : "✗";
		console.log(`${mark} ${title} (${(duration / 1_000).toFixed(1)} s)`);
		for (const error of errors) this.onError(error);
	}

	onError({ stack, message }: TestError): void {
		console.log(stripVTControlCharacters(stack ?? message ?? ""));
	}

	onEnd(): void {
		const { passed, failed, skipped } = this.#counts;
		console.log(`  ${skipped} left out: they need a program of their own`);
		if (failed > 0) console.log(`  ${failed} failed`);
		console.log(`  ${passed} passed`);
	}

	printsToStdio(): boolean {
		return true;
	}
}

// Playwright takes a reporter only as the default export.
// biome-ignore lint/style/noDefaultExport: see above
export default DeployedReport;
