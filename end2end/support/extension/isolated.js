// Inserts a script that the extension does not have.
addEventListener("extension-fail", () => {
	const script = document.createElement("script");
	script.src = chrome.runtime.getURL("forgotten.js");
	script.addEventListener("error", () =>
		dispatchEvent(new Event("extension-lost")),
	);
	document.documentElement.append(script);
});
