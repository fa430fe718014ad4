import type { BankFormContext } from "../generated/types";
import { island } from "../mount";
import { BankForm } from "./BankForm";
import { eachField } from "./fields";

export const mount = island(
	"bank-form",
	BankForm,
	({ context, host, page }) => {
		const { session, bankForm, clientName, customerName } = context;
		if (bankForm === null) throw new Error("context without bank form");
		const draft = page.kept<Partial<BankFormContext>>("form", session);
		// What was typed before hydration comes before what was typed before a reload.
		const entered = eachField((field, { mask }) => {
			const typed =
				host.querySelector<HTMLInputElement>(`input[name="${field}"]`)?.value ??
				bankForm[field];
			const text =
				bankForm.fixed.includes(field) || typed !== bankForm[field]
					? typed
					: (draft?.[field] ?? typed);
			return mask?.(text) ?? text;
		});
		const typedBank =
			host.querySelector<HTMLInputElement>('[role="combobox"]')?.value ?? "";
		return {
			session,
			clientName,
			firm: customerName,
			saved: { ...bankForm, ...draft, ...entered },
			typedBank,
		};
	},
);
