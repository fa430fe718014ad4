/** A reporter that prints how many tests were skipped, by reason. */
import type { Reporter, TestCase, TestResult } from "@playwright/test/reporter";

class LeftOut implements Reporter {
	readonly #reasons = new Map<string, number>();

	onTestEnd(_: TestCase, { status, annotations }: TestResult): void {
		if (status !== "skipped") return;
		const reason =
			annotations.find(({ type }) => type === "skip")?.description ??
			"without a reason";
		this.#reasons.set(reason, (this.#reasons.get(reason) ?? 0) + 1);
	}

	onEnd(): void {
		for (const [reason, count] of this.#reasons)
			console.log(`left out: ${count} × ${reason}`);
	}
}

// Playwright loads a reporter by its default export.
// biome-ignore lint/style/noDefaultExport: see above
export default LeftOut;
