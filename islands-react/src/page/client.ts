/** The client of the server's actions: posts them, and handles their failures. */
import type { Actions } from "../generated/actions";
import type { Failure } from "../generated/failure";
import { OUTAGE } from "../generated/routes";
import type * as wire from "../generated/types";
import { replace } from "./navigate";
import type { Stopping } from "./stop";
import type { Toast } from "./toast";

/** The failure for a response that is not the server's or is malformed. It does not blame the link. */
const UNREADABLE: Failure = { navigate: { to: OUTAGE } };

/** The failures without data, and the names of those with data. */
const PLAIN: readonly Failure[] = ["no_reply", "other_tab", "no_session"];
const NAMES = ["navigate", "invalid"];

/**
 * The text or the list of an output without which nothing can follow a success. A proxy may respond in
 * the server's place, also with a 200 and JSON. Outputs are not checked any further.
 */
const NEEDED: { [A in keyof Actions]?: keyof Actions[A][1] } = {
	accept_consent: "to",
	save_bank_form: "to",
	finish_connect: "item",
	submit_item: "item",
	list_banks: "banks",
	open_connect: "connectToken",
};

/** `status` is the HTTP status of a failure that the server itself has sent. */
export type Answer<T> =
	| { ok: true; data: T }
	| { ok: false; failure: Failure; status?: number };

type PostOptions = {
	/** The request outlives the page. */
	keepalive?: boolean;
	/** Aborts the request. */
	signal?: AbortSignal;
};

export type Client = {
	/** Aborted when this page is stopped. */
	stopped: AbortSignal;
	/**
	 * Posts an action and returns its answer; never rejects. A success without what the action needs is
	 * a failure. The request is also aborted when this page is stopped. An aborted request is a failure:
	 * `no_reply`, or the one that has stopped the page.
	 */
	post<A extends keyof Actions>(
		action: A,
		input: Actions[A][0],
		options?: PostOptions,
	): Promise<Answer<Actions[A][1]>>;
	/**
	 * Posts the first action of the page's island before the island has loaded. The first post to the same
	 * action takes its answer instead of sending a second request.
	 */
	postEarly(action: "list_banks", input: wire.FromPage): void;
	/**
	 * Handles the failure of an action: shows a toast, stops the page or navigates. Resolves once the
	 * page can be used: immediately if it stays, like `replace` if it navigates, and never if it has
	 * stopped. A stopped page shows nothing any more.
	 */
	handleFailure(failure: Failure): Promise<void>;
};

export function createClient(
	{ stop, stopped }: Stopping,
	toast: Toast,
): Client {
	// The request of `postEarly`, until a post takes its answer.
	let early: { path: string; answer: Promise<Answer<unknown>> } | undefined;

	const post: Client["post"] = async (action, input, options) => {
		const answer = await postTo<Actions[typeof action][1]>(
			pathOf(action),
			{ input },
			options,
		);
		return answer.ok && !isComplete(action, answer.data)
			? { ok: false, failure: UNREADABLE }
			: answer;
	};

	const postEarly: Client["postEarly"] = (action, input) => {
		const path = pathOf(action);
		early = { path, answer: postTo(path, { input }) };
	};

	async function postTo<T>(
		path: string,
		body: unknown,
		{ keepalive = false, signal }: PostOptions = {},
	): Promise<Answer<T>> {
		if (early?.path === path) {
			const { answer } = early;
			early = undefined;
			return answer as Promise<Answer<T>>;
		}
		// Not `AbortSignal.any`, which Safari has only since 17.4.
		const call = new AbortController();
		const abort = (): void => call.abort();
		const reasons = signal ? [stopped, signal] : [stopped];
		for (const reason of reasons) {
			reason.addEventListener("abort", abort);
			if (reason.aborted) abort();
		}
		try {
			const response = await fetch(path, {
				method: "POST",
				headers: {
					"content-type": "application/json",
					accept: "application/json",
				},
				credentials: "same-origin",
				cache: "no-store",
				body: JSON.stringify(body),
				keepalive,
				signal: call.signal,
			});
			return await answerOf<T>(response);
		} catch {
			return {
				ok: false,
				failure: stopped.aborted ? stopped.reason : "no_reply",
			};
		} finally {
			for (const reason of reasons) reason.removeEventListener("abort", abort);
		}
	}

	const handleFailure: Client["handleFailure"] = async (failure) => {
		if (stopped.aborted) return stop(stopped.reason);
		if (failure === "no_reply") return toast.show();
		if (typeof failure === "string") return stop(failure);
		// Other invalid input is unexpected: only the bank form has fields, and it shows their errors
		// itself.
		return replace("navigate" in failure ? failure.navigate.to : OUTAGE);
	};

	return { stopped, post, postEarly, handleFailure };
}

function pathOf(action: string): string {
	return `/api/${action}`;
}

/** Reads a response. Throws if the connection breaks. */
async function answerOf<T>(response: Response): Promise<Answer<T>> {
	const { ok, status } = response;
	const text = await response.text();
	const failed = (failure: Failure): Answer<T> => ({ ok: false, failure });
	let body: unknown;
	try {
		body = JSON.parse(text);
	} catch {
		// The server always responds with JSON. Anything else is from a proxy that cannot reach it.
		return failed(ok ? UNREADABLE : "no_reply");
	}
	if (ok) return { ok, data: body as T };
	if (!isFailure(body)) return failed(UNREADABLE);
	return { ok: false, failure: body, status };
}

function isComplete(action: keyof Actions, output: unknown): boolean {
	const key = NEEDED[action];
	const value: unknown = key && Object(output)[key];
	return key === undefined || typeof value === "string" || Array.isArray(value);
}

/** Returns whether a body is a failure of the server: a proxy may respond in its place, also in JSON. */
function isFailure(body: unknown): body is Failure {
	return typeof body === "string"
		? PLAIN.some((failure) => failure === body)
		: NAMES.some((name) => name in Object(body));
}
