// Plays one state of a screen for the gallery (`scenario.rs`): sets the theme and the responses before any other script runs,
// then performs the client's steps.
(() => {
	const VALIDATION = "/api/validate_token";
	const { theme, outcomes, broken, acts } = JSON.parse(
		document.currentScript.dataset.play,
	);

	// The steps may scroll. A reload must start at the top again.
	history.scrollRestoration = "manual";

	// Applies the chosen theme instead of the system's.
	const choose = (rules) => {
		for (const rule of rules) {
			if (rule.media?.mediaText.includes("prefers-color-scheme")) {
				rule.media.mediaText = rule.media.mediaText.includes(theme)
					? "all"
					: "not all";
			}
			if (rule.cssRules) choose(rule.cssRules);
		}
	};
	// This script runs before the page's own, when the style sheet does not exist yet.
	const loaded = new Promise((done) =>
		addEventListener("load", done, { once: true }),
	);
	loaded.then(() => {
		if (theme !== "system")
			for (const sheet of document.styleSheets) choose(sheet.cssRules);
	});

	const responded = new Set();
	const realFetch = window.fetch.bind(window);
	window.fetch = (what, options) => {
		const { pathname } = new URL(what.url ?? what, location.href);
		const given = outcomes[pathname];
		if (!given && !pathname.startsWith("/api/"))
			return realFetch(what, options);
		const outcome = (given?.length > 1 ? given.shift() : given?.[0]) ?? {
			kind: "pending",
		};
		if (outcome.kind === "pending") return new Promise(() => {});
		// A test may delay the responses.
		return Promise.resolve(window.responsesHeld).then(() => {
			if (outcome.kind === "no_response")
				throw new TypeError("no response");
			responded.add(pathname);
			const headers = { "content-type": "application/json" };
			return new Response(JSON.stringify(outcome.body), {
				status: outcome.status,
				headers,
			});
		});
	};

	// The entry validates by XMLHttpRequest.
	XMLHttpRequest.prototype.send = function send() {
		const outcome = outcomes[VALIDATION]?.[0];
		if (!outcome || outcome.kind === "pending") return;
		if (outcome.status)
			Object.defineProperty(this, "status", { value: outcome.status });
		Promise.resolve(window.responsesHeld).then(() =>
			this.dispatchEvent(new ProgressEvent("loadend")),
		);
	};

	// Each frame has a session of its own: none may stop the others, nor a real page beside the gallery, or know what another
	// one has seen.
	Storage.prototype.getItem = () => null;
	window.BroadcastChannel = class extends EventTarget {
		postMessage() {}
	};

	const fail = () => Promise.reject(new Error("broken for the gallery"));
	const pageModule = () =>
		document.querySelector('script[type="module"][src]').src;
	// A module without `mount`. React's islands are hydrated after the document has been parsed.
	if (broken === "react") {
		addEventListener("DOMContentLoaded", () => {
			for (const host of document.querySelectorAll("[data-react]"))
				host.dataset.src = pageModule();
		});
	}
	if (broken === "wasm")
		Object.assign(WebAssembly, {
			instantiate: fail,
			instantiateStreaming: fail,
		});

	// There are many frames on one page. None may take the focus or scroll the page around it.
	if (window.parent !== window) {
		HTMLElement.prototype.focus = () => {};
		const { showModal } = HTMLDialogElement.prototype;
		HTMLDialogElement.prototype.showModal = function showWithoutFocus() {
			showModal.call(this);
			document.activeElement.blur();
			window.frameElement.blur();
		};
		Element.prototype.scrollIntoView = function scrollInFrame(how) {
			const { top, bottom } = this.getBoundingClientRect();
			if (how?.block === "start" || top < 0 || bottom > innerHeight)
				scrollBy(0, top);
		};
	}

	const pause = () => new Promise((done) => setTimeout(done, 50));

	// In the page, or in one of its frames, which then gets the same responses.
	const find = (at) => {
		const here = document.querySelector(at);
		if (here) return here;
		for (const { contentDocument, contentWindow } of document.querySelectorAll(
			"iframe",
		)) {
			const there = contentDocument?.querySelector(at);
			if (!there) continue;
			contentWindow.fetch = window.fetch;
			return there;
		}
		return null;
	};

	const present = async (at) => {
		for (;;) {
			const element = find(at);
			if (element) return element;
			await pause();
		}
	};

	/** Waits until the page has used the response at this path. */
	const used = async (path) => {
		while (!responded.has(path)) await pause();
		for (let frame = 0; frame < 5; frame += 1) await pause();
	};

	const perform = async ([act, at, text]) => {
		if (act === "toast") return (await import(pageModule())).toast(at, text);
		if (act === "wait") return used(at);
		const element = await present(at);
		// The ruler of the browser tests ignores what moves right after an act, as browsers do after a person's input.
		performance.mark("act");
		if (
			element.ownerDocument === document &&
			element.getBoundingClientRect().bottom > innerHeight
		) {
			scrollBy(0, element.getBoundingClientRect().bottom - innerHeight + 48);
		}
		if (act === "click") return element.click();
		if (act === "leave")
			return element.dispatchEvent(
				new FocusEvent("focusout", { bubbles: true }),
			);
		// React listens for a change that it did not make itself.
		Object.getOwnPropertyDescriptor(
			HTMLInputElement.prototype,
			"value",
		).set.call(element, text);
		element.dispatchEvent(new Event("input", { bubbles: true }));
	};

	// Toasts stay, as under a pointer, because one cannot look at forty frames in five seconds.
	const holdToasts = () => {
		for (const toast of document.querySelectorAll(".toast"))
			toast.matches = () => true;
	};

	addEventListener("DOMContentLoaded", async () => {
		new MutationObserver(holdToasts).observe(document.body, {
			childList: true,
			subtree: true,
		});
		if (acts.length > 0) await present('[data-islands="alive"]');
		await loaded;
		for (const act of acts) await perform(act);
		document.documentElement.dataset.performed = "";
	});
})();
