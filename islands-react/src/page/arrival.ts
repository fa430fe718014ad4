/** Where the link leads, and the document of that step if the entry can show it in its own place. */
export type Arrival = { to: string; step: Document | null };

/**
 * Why a validation failed without a result: the server is at its limit, this device is offline, or
 * the server did not respond.
 */
export type NoResponse = "busy" | "offline" | "noResponse";

/** Returns the result of a finished validation request. */
export function arrivalOf(request: XMLHttpRequest): Arrival | NoResponse {
	const to = request.getResponseHeader("content-location");
	if (to !== null)
		return { to, step: request.status === 200 ? request.responseXML : null };
	if (!navigator.onLine) return "offline";
	// 429: this client has reached its limit. 503: the server has.
	return [429, 503].includes(request.status) ? "busy" : "noResponse";
}
