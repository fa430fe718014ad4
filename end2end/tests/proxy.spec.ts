/**
 * Behind a proxy that replaces the bodies of errors, as Cloudflare does and nginx with `proxy_intercept_errors`. A failure
 * of the widget API still leads to its screen.
 */

import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { test as base, expect, linkOf } from "../support/fixtures.ts";
import { errorUrl } from "../support/locators.ts";
import { errorResponse } from "../support/widget-api.ts";

/** The statuses that such proxies take for their own errors. */
const REPLACED = [404, 502, 503, 504];

const test = base.extend({
	baseURL: async ({ production }, use) => {
		const { hostname, port } = new URL(production.url);
		const proxy = createServer((asked, answer) => {
			const { method, url, headers } = asked;
			const target = { hostname, port, method, path: url, headers };
			const forwarded = request(target, (response) => {
				const { statusCode = 0 } = response;
				if (REPLACED.includes(statusCode)) {
					response.resume();
					answer
						.writeHead(statusCode, { "content-type": "text/html" })
						.end("<h1>Error of the proxy</h1>");
				} else {
					answer.writeHead(statusCode, response.headers);
					response.pipe(answer);
				}
			});
			asked.pipe(forwarded);
		});
		await new Promise<void>((ready) => proxy.listen(0, "127.0.0.1", ready));
		await use(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
		proxy.close();
		proxy.closeAllConnections();
	},
});

test.describe("behind a proxy that replaces errors", () => {
	for (const [response, status, screen] of [
		[errorResponse(401, "Expired token"), 410, errorUrl("token-expired")],
		[errorResponse(404, "Not found"), 422, errorUrl("token-not-exists")],
		[
			errorResponse(500, "Out of order"),
			500,
			errorUrl("token-invalid", { outage: true }),
		],
	] as const) {
		test(`a link that is answered by ${status} leads to its screen`, async ({
			page,
			newClient,
			browserErrors,
		}) => {
			browserErrors.expect(new RegExp(`status of ${status} .*validate_token`));
			const client = newClient().respond("validate-token", response);
			await page.goto(linkOf(client));
			await expect(page).toHaveURL(screen);
		});
	}
});
