/** Where the link leads, and the document of that step if it can be shown in the entry's place. */
export type Arrival = { to: string; step: Document | null };

/** Why a validation has no answer: too many people want one, this device is offline, or the server does not say. */
export type NoAnswer = "busy" | "offline" | "silent";

/** What an ended request for a validation says. */
export function arrivalOf(request: XMLHttpRequest): Arrival | NoAnswer {
	const to = request.getResponseHeader("content-location");
	if (to !== null)
		return { to, step: request.status === 200 ? request.responseXML : null };
	if (!navigator.onLine) return "offline";
	// 429 and 503: more requests than the server takes, or than it takes of one client.
	return [429, 503].includes(request.status) ? "busy" : "silent";
}
