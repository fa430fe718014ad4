// Rejects a promise and throws, in the page's own world. Both are reported before the next task.
addEventListener("extension-lost", () => {
	addEventListener(
		"error",
		() => setTimeout(() => dispatchEvent(new Event("extension-failed"))),
		{ once: true },
	);
	void Promise.reject(new Error("a rejection of the extension"));
	throw new Error("an exception of the extension");
});
