import { describe, expect, test, vi } from "vitest";
import type { Failure } from "../generated/failure";
import {
	type Answer,
	answerActions,
	deferred,
	page,
	REQUEST_FAILED,
	toasts,
	watchLocation,
} from "../testing/page";

const input = { session: "s-1" };

describe("a request", () => {
	test.each([false, true])(
		"is a same-origin JSON post with one input; it outlives the page: %s",
		async (keepalive) => {
			const calls = answerActions({
				list_banks: [{ body: { banks: [] } }],
			});
			const answer = await page.client.post("list_banks", input, {
				keepalive,
			});
			expect(answer).toEqual({
				ok: true,
				data: { banks: [] },
			});
			expect(fetch).toHaveBeenCalledWith("/api/list_banks", expect.anything());
			expect(calls[0]?.init).toMatchObject({
				method: "POST",
				credentials: "same-origin",
				cache: "no-store",
				keepalive,
				headers: {
					"content-type": "application/json",
					accept: "application/json",
				},
				body: '{"input":{"session":"s-1"}}',
			});
		},
	);

	test("takes the answer of an early request to the same action, once", async () => {
		const calls = answerActions({
			list_banks: [{ body: { banks: [] } }, "offline"],
		});
		page.client.postEarly("list_banks", input);
		expect(calls).toMatchObject([{ action: "list_banks", input }]);
		await page.client.post("close_connect", input);
		const first = await page.client.post("list_banks", input);
		expect(first).toEqual({ ok: true, data: { banks: [] } });
		expect(calls).toHaveLength(2);
		const second = await page.client.post("list_banks", input);
		expect(second).toMatchObject({ failure: "no_reply" });
		expect(calls).toHaveLength(3);
	});

	test("is aborted with its signal", async () => {
		const calls = answerActions({ list_banks: [deferred<never>().promise] });
		const controller = new AbortController();
		const { signal } = controller;
		const answer = page.client.post("list_banks", input, { signal });
		await Promise.resolve();
		controller.abort();
		expect(await answer).toMatchObject({
			ok: false,
			failure: "no_reply",
		});
		expect(calls[0]?.init.signal?.aborted).toBe(true);
	});

	test.each(["other_tab", "no_session"] as const)(
		"of a page that was stopped by %s fails with it, and so does every later one",
		async (kind) => {
			answerActions({ list_banks: [deferred<never>().promise] });
			const answer = page.client.post("list_banks", input);
			void page.client.handleFailure(kind);
			expect(await answer).toMatchObject({ failure: kind });
			expect(await page.client.post("list_banks", input)).toMatchObject({
				failure: kind,
			});
			expect(toasts()).toEqual([]);
		},
	);
});

const NO_REPLY: Failure = "no_reply";
const UNREADABLE: Failure = {
	navigate: { to: "/error/token-invalid?falha=servico" },
};
const said: Failure[] = [
	NO_REPLY,
	"other_tab",
	"no_session",
	{ navigate: { to: "/error/token-expired" } },
	{ invalid: { fields: [{ field: "cpf", code: "invalid" }] } },
];

test.each<[string, Answer, Failure]>([
	...said.map((body): [string, Answer, Failure] => [
		`the server's: ${JSON.stringify(body)}`,
		{ status: 422, body },
		body,
	]),
	["no_reply without a response", "offline", NO_REPLY],
	[
		"no_reply if a proxy responds with a page",
		{ status: 502, text: "<html>Bad gateway</html>" },
		NO_REPLY,
	],
	[
		"no_reply if a proxy responds with nothing",
		{ status: 503, text: "" },
		NO_REPLY,
	],
	[
		"an outage if it is unknown",
		{ status: 400, body: { explode: {} } },
		UNREADABLE,
	],
	["an outage if it is null", { status: 400, body: null }, UNREADABLE],
	[
		"an outage if a success is not JSON",
		{ status: 200, text: "ok" },
		UNREADABLE,
	],
	[
		"an outage if a success lacks its output",
		{ status: 200, body: {} },
		UNREADABLE,
	],
	["an outage if a success is null", { status: 200, body: null }, UNREADABLE],
])("a failure is %s", async (_what, answer, failure) => {
	answerActions({ open_connect: [answer] });
	expect(await page.client.post("open_connect", input)).toMatchObject({
		ok: false,
		failure,
	});
});

test.each<[string, Answer, number | undefined]>([
	[
		"the server's failure",
		{ status: 410, body: { navigate: { to: "/error/x" } } },
		410,
	],
	["a proxy's response", { status: 410, body: { message: "gone" } }, undefined],
	["a proxy's page", { status: 422, text: "<html>" }, undefined],
])("the status of %s is %s", async (_what, answer, status) => {
	answerActions({ open_connect: [answer] });
	const { ok, ...failed } = await page.client.post("open_connect", input);
	expect([ok, "status" in failed ? failed.status : undefined]).toEqual([
		false,
		status,
	]);
});

test.each<[Failure, { goes: string[][]; shown: string[] }]>([
	[NO_REPLY, { goes: [], shown: [REQUEST_FAILED] }],
	[{ navigate: { to: "/" } }, { goes: [["/"]], shown: [] }],
	[
		{ invalid: { fields: [] } },
		{ goes: [["/error/token-invalid?falha=servico"]], shown: [] },
	],
])(
	"the page reacts to %j, and can be used once it stays",
	async (failure, { goes, shown }) => {
		vi.useFakeTimers();
		const { replace } = watchLocation();
		const usable = vi.fn();
		void page.client.handleFailure(failure).then(usable);
		expect([replace.mock.calls, toasts()]).toEqual([goes, shown]);
		await vi.advanceTimersByTimeAsync(7999);
		expect(usable).toHaveBeenCalledTimes(goes.length === 0 ? 1 : 0);
		await vi.advanceTimersByTimeAsync(1);
		expect(usable).toHaveBeenCalledOnce();
	},
);
