/** `/integration/update`: an existing link is renewed. */
import { randomUUID } from "node:crypto";
import { ITEM_ID } from "../support/connect-stand-in.ts";
import { expect, test } from "../support/fixtures.ts";
import { retryButton, successTitle } from "../support/locators.ts";
import { arriveAtUpdate } from "../support/steps.ts";
import { errorResponse } from "../support/widget-api.ts";

test("an update without a response is retried without opening the bank again", async ({
	page,
	newClient,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*finish_connect/);
	const link_id = randomUUID();
	const client = newClient({ widget_type: "update", link_id }).respond(
		"update-link-account",
		"drop",
		undefined,
	);
	const frame = await arriveAtUpdate(page, client);
	await expect(page).toHaveURL("/integration/update");
	await expect(frame.getByTestId("props")).toContainText(
		`"updateItem":"${link_id}"`,
	);
	await frame.getByRole("button").click();
	await expect(
		page.getByRole("heading", { name: /não conseguimos confirmar/ }),
	).toBeFocused();
	await retryButton(page).click();
	await expect(successTitle(page)).toBeVisible();
	await expect.poll(() => client.requestsOf("success")).toHaveLength(1);
	expect(client.callSequence).toEqual([
		"POST /validate-token",
		"POST /connect-token",
		"PUT /update-link-account",
		"PUT /update-link-account",
		"POST /success",
	]);
});

test("an outage during the update shows its error, and a return opens no bank", async ({
	page,
	newClient,
	standIn,
	browserErrors,
}) => {
	browserErrors.expect(/status of 500 .*finish_connect/);
	const outage = errorResponse(503, "Service Unavailable");
	const client = newClient({ widget_type: "update", link_id: randomUUID() });
	client.respond("update-link-account", outage, undefined);
	const frame = await arriveAtUpdate(page, client);
	await frame.getByRole("button").click();
	await expect(page).toHaveURL(/\/error\/token-invalid/);
	await page.goto("/integration/update");
	await expect(successTitle(page)).toBeVisible();
	expect(standIn.openings).toBe(1);
	expect(client.requestsOf("connect-token")).toHaveLength(1);
	expect(
		client.requestsOf("update-link-account").map(({ body }) => body),
	).toEqual([{ link: ITEM_ID }, { link: ITEM_ID }]);
	await expect
		.poll(() =>
			client.log.filter(({ type }) => type === "pluggy-widget-success"),
		)
		.toHaveLength(1);
});
