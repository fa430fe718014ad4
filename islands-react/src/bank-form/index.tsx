import type { BankFormContext } from "../generated/types";
import { island, partOf } from "../mount";
import { BankForm } from "./BankForm";
import { eachField } from "./fields";

export const mount = island(BankForm, ({ context, host, page }) => {
	const { session, bankForm, clientName, customerName } = context;
	if (bankForm === null) throw new Error("context without bank form");
	const draft = page.kept<Partial<BankFormContext>>("form", session);
	// Text typed before hydration takes precedence over text typed before a reload.
	const entered = eachField((field, { mask }) => {
		const served = bankForm[field];
		const shown = valueIn(host, `input[name="${field}"]`);
		const isDraftUsed = !bankForm.fixed.includes(field) && shown === served;
		const text = isDraftUsed ? (draft?.[field] ?? shown) : shown;
		return mask?.(text) ?? text;
	});
	const bank = partOf<HTMLInputElement>(host, '[role="combobox"]');
	const hasFocus = document.activeElement === bank;
	return {
		session,
		clientName,
		firm: customerName,
		saved: { ...bankForm, ...draft, ...entered },
		bankBefore: { text: bank.value, hasFocus },
	};
});

function valueIn(host: Element, selector: string): string {
	return partOf<HTMLInputElement>(host, selector).value;
}
