import { island } from "../mount";
import { Consent } from "./Consent";

export const mount = island("consent", Consent, ({ context, host }) => {
	const { session, customerName, clientName } = context;
	// The context does not have the other values; the server writes them into the prerendered screen.
	return {
		session,
		customerName,
		clientName,
		clientDocument:
			host.querySelector("[data-client-document]")?.textContent ?? "",
		text: host.querySelector<HTMLInputElement>("[name=text]")?.value ?? "",
		purpose: host.querySelector("[data-purpose]")?.textContent ?? "",
		privacyUrl:
			host.querySelector("[data-privacy]")?.getAttribute("href") ?? null,
	};
});
