import { island, partOf } from "../mount";
import { Consent } from "./Consent";

export const mount = island(Consent, ({ context, host }) => {
	const { session, customerName, clientName } = context;
	// The context does not have the other values; the server writes them into the prerendered screen.
	return {
		session,
		customerName,
		clientName,
		clientDocument: partOf(host, "[data-client-document]").textContent,
		text: partOf<HTMLInputElement>(host, "[name=text]").value,
		purpose: partOf(host, "[data-purpose]").textContent,
		privacyUrl:
			host.querySelector("[data-privacy]")?.getAttribute("href") ?? null,
	};
});
