import { island } from "../mount";
import { Consent } from "./Consent";

export const mount = island("consent", Consent, ({ context, host }) => {
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

/** Finds a part that every prerendered screen has. Throws without it; then the served form stays. */
function partOf<E extends Element>(host: Element, selector: string): E {
	const part = host.querySelector<E>(selector);
	if (part === null) throw new Error(`consent without ${selector}`);
	return part;
}
