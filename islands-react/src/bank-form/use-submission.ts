import { useState } from "react";
import { usePage } from "../use-page";
import { forgetDraft } from "./draft";
import type { FieldErrors, Values } from "./fields";

type Submission = {
	/** From the submission until the page is left or the form can be used again. */
	busy: boolean;
	/** Whether the last submission had no response. */
	isUnanswered: boolean;
	/**
	 * Saves the form and leaves the page. Returns the errors that the server has found; undefined if it has
	 * found none.
	 */
	send: (values: Values) => Promise<FieldErrors | undefined>;
};

/** The submission of the bank form. */
export function useSubmission(session: string): Submission {
	const { client, replace } = usePage();
	const [busy, setBusy] = useState(false);
	const [isUnanswered, setUnanswered] = useState(false);

	async function send(values: Values): Promise<FieldErrors | undefined> {
		setBusy(true);
		setUnanswered(false);
		const errors = await save(values);
		setBusy(false);
		return errors;
	}

	async function save(values: Values): Promise<FieldErrors | undefined> {
		const answer = await client.post("save_bank_form", { session, ...values });
		if (answer.ok) {
			forgetDraft(session);
			await replace(answer.data.to);
			return undefined;
		}
		const { failure } = answer;
		if (typeof failure === "object" && "invalid" in failure) {
			const errors: FieldErrors = {};
			for (const { field, code } of failure.invalid.fields)
				errors[field] = code;
			return errors;
		}
		await client.handleFailure(failure);
		setUnanswered(true);
		return undefined;
	}

	return { busy, isUnanswered, send };
}
