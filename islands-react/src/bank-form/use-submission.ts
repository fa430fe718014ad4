import { useRef, useState } from "react";
import { useResumed } from "../ui/use-resumed";
import { usePage } from "../use-page";
import { forgetDraft } from "./draft";
import type { FieldErrors, Values } from "./fields";

type Submission = {
	busy: boolean;
	/**
	 * Saves the form and leaves the page. Returns the errors that the server has found; undefined if it has
	 * found none or the submission was withdrawn.
	 */
	send: (values: Values) => Promise<FieldErrors | undefined>;
	/**
	 * Withdraws what was sent, because the person is editing it. The server may have saved it; the next
	 * submission replaces it.
	 */
	withdraw: () => void;
};

/** The submission of the bank form. */
export function useSubmission(session: string): Submission {
	const { client, replace } = usePage();
	const [busy, setBusy] = useState(false);
	const request = useRef<AbortController>(null);
	const isLeaving = useRef(false);

	useResumed(() => {
		isLeaving.current = false;
		setBusy(false);
	});

	async function send(values: Values): Promise<FieldErrors | undefined> {
		setBusy(true);
		const controller = new AbortController();
		const { signal } = controller;
		request.current = controller;
		const input = { session, ...values };
		const answer = await client.post("save_bank_form", input, { signal });
		if (signal.aborted) return undefined;
		if (answer.ok) {
			forgetDraft(session);
			isLeaving.current = true;
			replace(answer.data.to);
			return undefined;
		}
		const { failure } = answer;
		if (failure.kind === "invalid") {
			setBusy(false);
			const errors: FieldErrors = {};
			for (const { field, code } of failure.fields) errors[field] = code;
			return errors;
		}
		if (client.handleFailure(failure)) setBusy(false);
		return undefined;
	}

	function withdraw(): void {
		request.current?.abort();
		// The navigation that the answer has begun.
		if (isLeaving.current) window.stop();
		isLeaving.current = false;
		setBusy(false);
	}

	return { busy, send, withdraw };
}
