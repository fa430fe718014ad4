import { island } from "../mount";
import { BankForm } from "./BankForm";
import { keptDraft } from "./draft";
import { eachField } from "./fields";

export const mount = island(BankForm, (context) => {
	const { session, bankForm, customerName } = context;
	if (bankForm === null) throw new Error("context without bank form");
	const draft = keptDraft(session);
	// A fixed field may have been fixed since the draft.
	const entered = eachField((field) =>
		bankForm.fixed.includes(field)
			? bankForm[field]
			: (draft[field] ?? bankForm[field]),
	);
	return {
		session,
		firm: customerName,
		saved: { ...bankForm, ...draft, ...entered },
	};
});
