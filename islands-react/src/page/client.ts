/** The client of the server's actions: it posts them, and does what a failure asks for. */
import { ENTRY, OUTAGE, VALIDATED } from "../generated/routes";
import type * as wire from "../generated/types";
import { notices } from "./messages";
import type { Leaving } from "./navigate";
import type { Stopping } from "./other-tab";
import type { Toast } from "./toast";

/** An answer that our server did not give, or should not have given: the link is not to blame. */
const UNREADABLE: wire.Failure = { kind: "navigate", to: OUTAGE };

/** The input and the output of each action that scripts call. The server is ours: its answers are trusted. */
type Actions = {
	accept_consent: [wire.AcceptConsent, wire.Next];
	list_banks: [wire.FromPage, wire.Banks];
	save_bank_form: [wire.SaveBankForm, wire.Next];
	open_connect: [wire.FromPage, wire.ConnectStart];
	finish_connect: [wire.FinishConnect, wire.Next];
	report_connect_error: [wire.ReportConnectError, wire.Done];
	report_connect_step: [wire.ReportConnectStep, wire.Done];
	check_session: [wire.FromPage, wire.Done];
	report_island: [wire.ReportIsland, wire.Done];
};

export type Answer<T> =
	| { ok: true; data: T }
	| { ok: false; failure: wire.Failure; retryAfterMs: number };

export type Client = {
	/**
	 * Posts an action and returns its answer; never rejects. With `keepalive` the request outlives the page. Without an
	 * answer after `timeoutMs` milliseconds (0: no limit), when another session stops this page, or when `signal` aborts, it is
	 * aborted.
	 */
	post<A extends keyof Actions>(
		action: A,
		input: Actions[A][0],
		keepalive?: boolean,
		timeoutMs?: number,
		signal?: AbortSignal,
	): Promise<Answer<Actions[A][1]>>;
	/** Does what a failed action asks for. Returns whether the page stays. */
	handleFailure(failure: wire.Reaction): boolean;
	/** Puts an island that could not start, or broke, into the server's log, which redacts and shortens the reason. */
	reportIsland(island: string, error: unknown): void;
	/** Notes that the page shows the step at `path` although it was not requested with the session's cookie. */
	arrivedAt(path: string): void;
};

type Around = Pick<Leaving, "replace"> & Stopping & { toast: Toast };

export function createClient({
	replace,
	stop,
	stopped,
	toast,
}: Around): Client {
	// The step that took the entry's place, until an action has shown that the browser sends the session's cookie.
	let stepWithoutCookie: string | undefined;

	const post: Client["post"] = async (
		action,
		input,
		keepalive = false,
		timeoutMs = 0,
		signal,
	) => {
		const call = new AbortController();
		const abort = (): void => call.abort();
		const reasons = signal ? [stopped, signal] : [stopped];
		for (const reason of reasons) {
			reason.addEventListener("abort", abort);
			if (reason.aborted) abort();
		}
		const timer = timeoutMs > 0 ? setTimeout(abort, timeoutMs) : 0;
		try {
			const response = await fetch(`/api/${action}`, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					accept: "application/json",
				},
				credentials: "same-origin",
				cache: "no-store",
				body: JSON.stringify({ input }),
				keepalive,
				signal: call.signal,
			});
			const retryAfterMs =
				1000 * (Number(response.headers.get("retry-after")) || 0);
			const answer = answerOf<Actions[typeof action][1]>(
				response.ok,
				await response.text(),
				retryAfterMs,
			);
			if (answer.ok) stepWithoutCookie = undefined;
			return answer;
		} catch {
			return {
				ok: false,
				failure: { kind: stopped.aborted ? "other_tab" : "no_reply" },
				retryAfterMs: 0,
			};
		} finally {
			clearTimeout(timer);
			for (const reason of reasons) reason.removeEventListener("abort", abort);
		}
	};

	function handleFailure(failure: wire.Reaction): boolean {
		switch (failure.kind) {
			case "no_reply":
				toast("error", notices.noReply);
				return true;
			case "other_tab":
				stop();
				return true;
			case "navigate": {
				// Without a session the server leads to the entry. If there has never been one, it was the cookie.
				const lacksCookie =
					failure.to === ENTRY && stepWithoutCookie !== undefined;
				replace(
					lacksCookie ? `${stepWithoutCookie}?${VALIDATED}` : failure.to,
					false,
				);
				return false;
			}
			case "invalid":
				// Only the bank form has fields, and it shows their errors itself.
				replace(OUTAGE, false);
				return false;
		}
	}

	function reportIsland(island: string, error: unknown): void {
		const reason =
			error instanceof Error ? `${error.name}: ${error.message}` : "unknown";
		void post("report_island", { island, reason }, true);
	}

	function arrivedAt(path: string): void {
		stepWithoutCookie = path;
	}

	return { post, handleFailure, reportIsland, arrivedAt };
}

function answerOf<T>(
	ok: boolean,
	text: string,
	retryAfterMs: number,
): Answer<T> {
	const failed = (failure: wire.Failure): Answer<T> => ({
		ok: false,
		failure,
		retryAfterMs,
	});
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		// Our server always answers JSON. Anything else comes from a proxy whose server is down.
		return failed(ok ? UNREADABLE : { kind: "no_reply" });
	}
	if (ok) return { ok, data: body as T };
	return failed(isFailure(body) ? body : UNREADABLE);
}

/** Whether a failure is our server's: a proxy may answer in its place, and in JSON. */
function isFailure(body: unknown): body is wire.Failure {
	const { kind, to, fields } = Object(body);
	if (kind === "navigate") return typeof to === "string";
	if (kind === "invalid") return Array.isArray(fields);
	return kind === "no_reply" || kind === "other_tab";
}
