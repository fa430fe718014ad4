/** Where the link leads, and the document of that page if the entry can show it in its own place. */
export type Arrival = { to: string; step: Document | null };

/**
 * Why a validation can be repeated: a limit was reached, this device is offline, or there was no usable
 * response.
 */
export type RetryReason = "busy" | "offline" | "noResponse";

/** Returns the result of a finished validation request. */
export function arrivalOf(request: XMLHttpRequest): Arrival | RetryReason {
	const to = request.getResponseHeader("content-location");
	if (to !== null)
		return { to, step: request.status === 200 ? request.responseXML : null };
	if (!navigator.onLine) return "offline";
	// 429: this client has reached its limit. 503: the server has.
	return [429, 503].includes(request.status) ? "busy" : "noResponse";
}
