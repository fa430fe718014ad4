import { expect, test, vi } from "vitest";
import { arrivalOf } from "./arrival";

test.each([
	[
		"the step",
		200,
		"/integration/widget",
		{ to: "/integration/widget", step: document },
	],
	[
		"an error screen, never the document of a failed response",
		422,
		"/error/x",
		{ to: "/error/x", step: null },
	],
	["noResponse if a proxy responds", 502, null, "noResponse"],
	["busy if the server is at its limit", 503, null, "busy"],
	["busy if this client is at its limit", 429, null, "busy"],
	["noResponse without a response", 0, null, "noResponse"],
	["offline if the device is", 0, null, "offline"],
])("a validation is %s", (_what, status, to, arrival) => {
	vi.spyOn(navigator, "onLine", "get").mockReturnValue(arrival !== "offline");
	const request = {
		status,
		responseXML: document,
		getResponseHeader: vi.fn(() => to),
	};
	expect(arrivalOf(request as unknown as XMLHttpRequest)).toEqual(arrival);
	expect(request.getResponseHeader).toHaveBeenCalledWith("content-location");
});
