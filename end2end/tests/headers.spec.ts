/** Google's CSP Evaluator on the policy of each kind of page. All other headers: `src/tests/page_heads.rs`. */
import { CspEvaluator } from "csp_evaluator/dist/evaluator.js";
import { Severity } from "csp_evaluator/dist/finding.js";
import { CspParser } from "csp_evaluator/dist/parser.js";
import { expect, test } from "../support/fixtures.ts";
import { startSession } from "../support/steps.ts";

test.use({ withConnect: true });

test("no policy has a weakness", async ({ page, newClient }) => {
	await startSession(page, newClient(), "bank chosen");
	for (const path of [
		"/error/token-expired",
		"/cancel/confirm",
		"/integration/widget",
	]) {
		const policy =
			(await page.goto(path))?.headers()["content-security-policy"] ?? "";
		const findings = new CspEvaluator(new CspParser(policy).csp).evaluate();
		expect(
			findings.map(({ severity, description }) => ({ severity, description })),
			path,
		).toEqual([
			// Does not apply: there are no uploads.
			{
				severity: Severity.MEDIUM_MAYBE,
				description:
					"'self' can be problematic if you host JSONP, AngularJS or user uploaded files.",
			},
		]);
	}
});
