// The stand-in for Pluggy Connect: the SDK's real protocol (zoid), no bank. `window.xprops` is what the SDK passes to its
// page, data and callbacks; the handshake sets it, if a host has opened the page.
zoid.create({ tag: "pluggy-connect-widget", url: () => location.origin });
if (window.xprops) serve(window.xprops);

function serve(host) {
	const {
		connectToken,
		updateItem = null,
		selectedConnectorId: connectorId = null,
		openFinanceParameters = {},
	} = host;
	document.documentElement.dataset.theme =
		host.theme === "dark" ? "dark" : "light";
	document.getElementById("orphan").hidden = true;
	document.getElementById("card").hidden = false;
	const status = document.querySelector("[role=status]");
	const say = (text) => status.replaceChildren(text);
	const fact = (name, value) =>
		document
			.querySelector(`[data-fact=${name}]`)
			.replaceChildren(value || "nenhum");
	fact("bank", connectorId?.toString());
	fact("cpf", masked(openFinanceParameters.cpf));
	fact("cnpj", masked(openFinanceParameters.cnpj));
	fact("update-item", updateItem);
	fact("include-sandbox", host.includeSandbox ? "sim" : "não");
	if (connectorId !== null)
		request(`connectors/${connectorId}`).then(
			(bank) => bank && fact("bank", bank.name),
		);

	// As Connect reports it before the login, unless a bank is chosen already.
	function chooseBank() {
		if (connectorId !== null || updateItem !== null) return;
		call(host.onEventProp, {
			event: "SELECTED_INSTITUTION",
			timestamp: Date.now(),
			connector: null,
		});
	}

	// Logs in and connects (or updates) an item of the sandbox; the button is disabled meanwhile.
	async function connect(button, awaitsApproval) {
		button.disabled = true;
		say("Conectando…");
		chooseBank();
		const body = JSON.stringify({
			connectToken,
			updateItem,
			connectorId,
			awaitsApproval,
		});
		const headers = { "content-type": "application/json" };
		const answer = await request("items", { method: "POST", headers, body });
		button.disabled = false;
		if (answer === undefined)
			say("A demonstração não respondeu. Tente de novo.");
		return answer?.item;
	}

	const acts = [
		async (button) => {
			const item = await connect(button, false);
			if (item === undefined) return;
			say("Conta conectada.");
			call(host.onSuccessProp, { item });
		},
		() => {
			const message = "Credenciais inválidas";
			say(message);
			chooseBank();
			const tail = String(Math.floor(Math.random() * 1e12)).padStart(12, "0");
			const item = failed(
				`00000000-0000-4000-8000-${tail}`,
				"LOGIN_ERROR",
				"INVALID_CREDENTIALS",
				message,
			);
			call(host.onErrorProp, { message, data: { item } });
		},
		async (button) => {
			const connected = await connect(button, true);
			if (connected === undefined) return;
			const [code, text] = [
				"USER_AUTHORIZATION_PENDING",
				"Aguardando a aprovação de outro responsável no banco.",
			];
			say(text);
			const item = failed(connected.id, "OUTDATED", code, text);
			call(host.onErrorProp, { message: code, data: { item } });
		},
		() => call(host.close),
	];
	for (const [at, button] of document.querySelectorAll("button").entries()) {
		button.addEventListener("click", () => acts[at](button));
	}
	// The host gets no key events of this frame, so forward Escape.
	document.addEventListener(
		"keydown",
		({ key }) => key === "Escape" && call(host.close),
	);
}

// An item in Pluggy's shape whose login failed.
function failed(id, status, code, message) {
	return { id, status, executionStatus: code, error: { code, message } };
}

// Calls the host, if it passed the callback. Calls across windows return promises; if the host is gone, never mind.
function call(callback, ...data) {
	Promise.resolve(callback?.(...data)).catch(() => {});
}

// What the sandbox answers; undefined if it refuses.
async function request(path, init) {
	const response = await fetch(`/sandbox/connect/${path}`, init).catch(
		() => undefined,
	);
	return response?.ok ? response.json() : undefined;
}

// Masks a document except for its middle, which QA needs: 123.456.789-09 → ***.456.789-**.
function masked(text = "") {
	const bare = text.replace(/[^0-9A-Za-z]/g, "");
	if (bare.length === 11)
		return `***.${bare.slice(3, 6)}.${bare.slice(6, 9)}-**`;
	return (
		bare && `${"*".repeat(Math.max(0, bare.length - 6))}${bare.slice(-6, -2)}**`
	);
}
