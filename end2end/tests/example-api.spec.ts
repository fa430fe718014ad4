/** The example of a widget API that README leads to. */
import { execFileSync } from "node:child_process";
import { test as base, expect } from "../support/fixtures.ts";
import { BINARY, startExampleApi } from "../support/servers.ts";

const test = base.extend<{ api: Awaited<ReturnType<typeof startExampleApi>> }>({
	api: async ({}, use) => {
		const api = await startExampleApi();
		await use(api);
		await api.stop();
	},
});

test("check-api finds no fault in it", async ({ api: { url, tokens } }) => {
	const env = {
		CHECK_API_TOKEN: tokens.update,
		CHECK_API_EXPIRED_TOKEN: tokens.expired,
		CHECK_API_CANCEL_TOKEN: tokens.cancel,
	};
	const report = execFileSync(BINARY, ["check-api", url, "--write"], {
		env,
		encoding: "utf8",
	});
	expect(report).toMatch(/\n\d+ ok, 0 warnings, 0 failures, 0 not tried\n/);
});

test("it lists what waits, and refuses a link once everything is cancelled", async ({
	request,
	api: { url, tokens },
}) => {
	const headers = { authorization: `Bearer ${tokens.new}` };
	const call = async (method: string, path: string, data?: object) => {
		const answer = await request.fetch(`${url}/${path}`, {
			method,
			headers,
			data,
		});
		return {
			status: answer.status(),
			data: ((await answer.json()) as { data: Record<string, unknown> }).data,
		};
	};
	const log = (type: string, data: object) =>
		call("POST", "log", {
			type,
			status: "SUCCESS",
			data_log: JSON.stringify(data),
		});
	const rows = async () => (await call("GET", "list-accounts")).data;
	const row = {
		bank: "Banco do Brasil",
		agency: "",
		number: "",
		name: "Padaria Exemplo Ltda",
	};

	await log("pluggy-widget-error", {
		message: "INVALID_CREDENTIALS",
		item: { id: "refused" },
	});
	expect(await rows()).toEqual([]);
	await log("pluggy-widget-error", {
		message: "USER_AUTHORIZATION_PENDING",
		item: { id: "first" },
	});
	const approve_by = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
	expect(await rows()).toEqual([
		{ ...row, status: "awaiting_approval", approve_by },
	]);
	await log("pluggy-widget-success", { item: { id: "first" } });
	expect(await rows()).toEqual([{ ...row, status: "confirming" }]);
	await expect
		.poll(rows)
		.toEqual([{ ...row, agency: "0001", number: "000001-0" }]);

	const { data: session } = await call("POST", "validate-token", {
		token: tokens.new,
	});
	await call("POST", "cancel-integrations", {
		cpfcnpj: session.client_cpfcnpj,
	});
	await log("pluggy-widget-success", { item: { id: "late" } });
	expect(await rows()).toEqual([]);
	expect(
		(
			await call("POST", "authorize-customer", {
				customer_id: session.customer_id,
			})
		).status,
	).toBe(403);
});
