import { island } from "../mount";
import { Consent } from "./Consent";

export const mount = island(Consent, (context) => {
	const { session, customerName, clientName, consent } = context;
	if (consent === null) throw new Error("context without consent");
	return { session, customerName, clientName, ...consent };
});
