// A client that behaves like a browser towards the server: it keeps the cookie and the page's session,
// and takes the steps of the journey. For checks of a running product over HTTP; end2end/ tests the pages
// in browsers.

export class Visitor {
	#cookie;
	#session = "";
	#text;
	#known;
	/** The steps of the journey, in order. */
	static STEPS = [
		"open",
		"validate",
		"consent",
		"accounts",
		"banks",
		"form",
		"connect",
		"finish",
		"success",
		"listed",
	];

	/**
	 * `product` is the product's URL, `sandbox` the base URL of `vincula sandbox`, and `token` one of its
	 * tokens. Every request has `headers`.
	 */
	constructor(product, sandbox, token, headers = {}) {
		Object.assign(this, { product, sandbox, token, headers });
	}

	/** Completes the journey. `around` is called with each step's name and function. */
	async journey(around) {
		for (const name of Visitor.STEPS) await around(name, () => this[name]());
	}

	open = () => this.#page(`/?token=${this.token}`, "entry");

	async validate() {
		const { to } = await this.#act("validate_token", {
			query: `?token=${this.token}`,
		});
		if (new URL(to, this.product).pathname !== "/integration/widget")
			throw new Error(`validated, then sent to ${to}`);
		const page = await this.#page(to, "consent");
		this.#session = /"session":"([0-9a-f]{32})"/.exec(page)[1];
		this.#text = /name="text" value="([\w-]+)"/.exec(page)[1];
	}

	consent = () => this.#act("accept_consent", { text: this.#text });
	banks = () => this.#act("list_banks", {});
	form = () =>
		this.#act("save_bank_form", {
			bank: "260",
			name: "Bia Lima",
			cpf: "111.444.777-35",
		});

	/** Polls the accounts as a page does, with the digest of the list that it shows. */
	async accounts() {
		const { digest } = await this.#act("list_accounts", { known: this.#known });
		this.#known = digest ?? this.#known;
	}

	async connect() {
		this.connectToken = (await this.#act("open_connect", {})).connectToken;
	}

	/** Finishes Connect. The sandbox creates the item, because Connect's page is not part of the product. */
	async finish() {
		const answer = await fetch(
			new URL("/sandbox/connect/items", this.sandbox),
			{
				method: "POST",
				headers: { "content-type": "application/json" },
				body: JSON.stringify({
					connectToken: this.connectToken,
					updateItem: null,
					bank: "260",
				}),
			},
		);
		if (!answer.ok)
			throw new Error(`the sandbox gave no item: ${answer.status}`);
		this.itemId ??= (await answer.json()).item.id;
		for (const step of [
			"consent",
			"login",
			"login_accepted",
			"mfa",
			"mfa_accepted",
		]) {
			await this.#act("report_connect_step", { step, connector: 260 });
		}
		await this.#act("finish_connect", { itemId: this.itemId });
	}

	async success() {
		await this.#page("/integration/success", "success");
		await this.#act("confirm_success", {});
	}

	listed = () => this.#page("/integration/accounts", "accounts");

	async #page(path, name) {
		const answer = await this.#send(path, {});
		const text = await answer.text();
		if (answer.status !== 200 || !text.includes(`data-page="${name}"`)) {
			throw new Error(
				`${path}: ${answer.status} to ${answer.headers.get("location")}, not the page ${name}`,
			);
		}
		return text;
	}

	async #act(action, input) {
		const body = JSON.stringify({
			input: { session: this.#session, ...input },
		});
		const headers = {
			"content-type": "application/json",
			"sec-fetch-site": "same-origin",
		};
		const answer = await this.#send(`/api/${action}`, {
			method: "POST",
			headers,
			body,
		});
		const text = await answer.text();
		if (answer.status !== 200)
			throw new Error(`${action}: ${answer.status} ${text}`);
		return JSON.parse(text);
	}

	async #send(path, { headers = {}, ...more }) {
		const cookie = this.#cookie === undefined ? {} : { cookie: this.#cookie };
		const answer = await fetch(new URL(path, this.product), {
			...more,
			headers: { ...this.headers, ...headers, ...cookie },
			redirect: "manual",
		});
		const set = answer.headers.getSetCookie()[0];
		if (set !== undefined) this.#cookie = set.split(";")[0];
		return answer;
	}
}
