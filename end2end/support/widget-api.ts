/**
 * The test widget API, written from the contract alone: it shares nothing with the program's client or its sandbox. It
 * responds to each client's link as the client's test has scripted, and records all requests in order.
 */
import { randomUUID } from "node:crypto";
import {
	createServer,
	type IncomingHttpHeaders,
	type IncomingMessage,
	type ServerResponse,
} from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** The method of each call. */
const CALLS = {
	"validate-token": "POST",
	"authorize-customer": "POST",
	"list-accounts": "GET",
	"cancel-integrations": "POST",
	"list-banks": "GET",
	success: "POST",
	"connect-token": "POST",
	log: "POST",
	"update-link-account": "PUT",
} as const;

export type CallName = keyof typeof CALLS;

type RecordedRequest = {
	call: CallName;
	method: string;
	headers: IncomingHttpHeaders;
	/** The raw body; empty for none. */
	text: string;
	/** The body as JSON; undefined for none. */
	body: unknown;
};

/** A scripted response. `drop` closes the connection without a response, `cut` in the middle of one. */
export type ScriptedResponse =
	| { status?: number; json: unknown; headers?: Record<string, string> }
	| { status?: number; text: string; type: string }
	| "drop"
	| "cut";

/** The session data. */
export type SessionData = {
	client_name: string;
	client_cpfcnpj: string;
	customer_id: number | string;
	customer_name: string;
	widget_account_admin_name: string | null;
	widget_account_admin_cpfcnpj: string | null;
	widget_type: string;
	widget_account_bank: string | null;
	link_id: string | null;
	client_uuid: string | null;
};

export type Account = {
	bank: string;
	agency: string;
	number: string;
	name: string;
};

export const FIRM = "Contábil Horizonte & Filhos";

const BANKS = [
	{ code: "001", name: "Banco do Brasil S.A." },
	{ code: "033", name: "Banco Santander (Brasil) S.A." },
	{ code: "104", name: "Caixa Econômica Federal" },
	{ code: "237", name: "Banco Bradesco S.A." },
	{ code: "260", name: "Nu Pagamentos S.A." },
	{ code: "341", name: "Itaú Unibanco S.A." },
];

export const ACCOUNTS: readonly [Account, Account] = [
	{
		bank: "Itaú Unibanco S.A.",
		agency: "0405",
		number: "012345-6",
		name: "Padaria Pão Quente",
	},
	{
		bank: "Nu Pagamentos S.A.",
		agency: "0001",
		number: "7654321-X",
		name: "Padaria Pão Quente",
	},
];

/** The administrator in the bank form; the CPF is valid, and invented. */
export const CPF = "529.982.247-25";
export const ADMIN = "Ana Souza Lima";

const COMPANY: SessionData = {
	client_name: "Padaria Pão Quente Ltda",
	client_cpfcnpj: "40.817.256/0001-00",
	customer_id: 4711,
	customer_name: FIRM,
	widget_account_admin_name: null,
	widget_account_admin_cpfcnpj: null,
	widget_type: "new",
	widget_account_bank: null,
	link_id: null,
	client_uuid: null,
};

/** One client of the firm: session data, scripted responses, recorded requests. */
export class Client {
	/** Long and unique, so that tests can search for it. */
	readonly token = `tok-${randomUUID()}`;
	readonly data: SessionData;
	readonly calls: RecordedRequest[] = [];
	accounts: readonly Account[] = [];
	/** The scenario of Connect: see `connect-stand-in.ts`. */
	scenario = "success";
	readonly #scripts = new Map<CallName, (ScriptedResponse | undefined)[]>();
	readonly #gates = new Map<CallName, Promise<void>>();

	constructor(data: Partial<SessionData>) {
		this.data = { ...COMPANY, client_uuid: randomUUID(), ...data };
	}

	get connectToken(): string {
		return `${this.scenario}.connect-${this.token.slice(-12)}`;
	}

	/** Scripts the responses to a call, in order; the last one repeats. `undefined` is the usual response. */
	respond(
		call: CallName,
		...responses: (ScriptedResponse | undefined)[]
	): this {
		this.#scripts.set(call, responses);
		return this;
	}

	/** Holds back the responses to a call until the returned function is called. */
	hold(call: CallName): () => void {
		let release = (): void => {};
		this.#gates.set(call, new Promise<void>((resolve) => (release = resolve)));
		return () => {
			this.#gates.delete(call);
			release();
		};
	}

	async responseTo(request: RecordedRequest): Promise<ScriptedResponse> {
		const { call } = request;
		this.calls.push(request);
		await this.#gates.get(call);
		const script = this.#scripts.get(call);
		const next =
			script !== undefined && script.length > 1 ? script.shift() : script?.[0];
		return next ?? this.#usual(call);
	}

	/** The requests of one call. */
	requestsOf(call: CallName): RecordedRequest[] {
		return this.calls.filter((recorded) => recorded.call === call);
	}

	/**
	 * The calls in order, each as `POST /success`; repeated polls of the accounts count as one. Log calls are left out: they
	 * run in parallel to the other calls.
	 */
	get callSequence(): string[] {
		const lines = this.calls
			.filter(({ call }) => call !== "log")
			.map(({ method, call }) => `${method} /${call}`);
		return lines.filter(
			(line, at) => line !== "GET /list-accounts" || line !== lines[at - 1],
		);
	}

	/** The log calls in order, each with its `data_log` parsed. */
	get log(): { type: unknown; status: unknown; data: unknown }[] {
		return this.requestsOf("log").map(({ body }) => {
			const { type, status, data_log } = body as Record<string, unknown>;
			return {
				type,
				status,
				data:
					typeof data_log === "string"
						? (JSON.parse(data_log) as unknown)
						: undefined,
			};
		});
	}

	/** Texts that must never be in a log; documents with and without punctuation. */
	get secrets(): string[] {
		const documents = [
			this.data.client_cpfcnpj,
			this.data.widget_account_admin_cpfcnpj ?? "",
		];
		const forms = documents.flatMap((document) => [
			document,
			document.replace(/[./-]/g, ""),
		]);
		return [this.token, this.connectToken, ...forms].filter(
			(secret) => secret.length >= 11,
		);
	}

	#usual(call: CallName): ScriptedResponse {
		const data = {
			"validate-token": this.data,
			"list-accounts": this.accounts,
			"list-banks": BANKS,
			"connect-token": this.connectToken,
		}[call as string];
		const json = { data: data ?? null, meta: { status: 200, message: "OK" } };
		return { json };
	}
}

/** An error response in the envelope of the spec. */
export function errorResponse(
	status: number,
	message: string,
	data: unknown = null,
): ScriptedResponse {
	return { status, json: { data, meta: { status, message } } };
}

/** The calls are below a path, as a real base URL may have one. */
const BASE = "/widget/v1";

export type WidgetApi = {
	url: string;
	/** Adds a client of the firm with their own link. */
	client: (data?: Partial<SessionData>) => Client;
	/** All requests in order, each as `POST /log {…}`. */
	requests: string[];
	/** Requests without a client's token, and requests that are not part of the contract. */
	unexpectedRequests: string[];
	stop: () => void;
};

export async function startWidgetApi(): Promise<WidgetApi> {
	const clients = new Map<string, Client>();
	const requests: string[] = [];
	const unexpectedRequests: string[] = [];

	async function handle(
		request: IncomingMessage,
		response: ServerResponse,
	): Promise<void> {
		const { method = "", headers } = request;
		const call = callOf(method, request.url ?? "");
		const body = await text(request);
		requests.push(`${method} ${request.url?.slice(BASE.length)} ${body}`);
		const recorded = {
			method,
			headers,
			text: body,
			body: body === "" ? undefined : (JSON.parse(body) as unknown),
		};
		const client = clients.get(tokenOf(recorded));
		if (call !== undefined && client !== undefined)
			return send(response, await client.responseTo({ call, ...recorded }));
		if (call !== "validate-token")
			unexpectedRequests.push(`${method} ${request.url}`);
		send(response, errorResponse(404, "Token not found"));
	}

	const server = createServer((request, response) => {
		void handle(request, response).catch((error: unknown) => {
			unexpectedRequests.push(String(error));
			response.destroy();
		});
	});
	await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}${BASE}`,
		client: (data = {}) => {
			const client = new Client(data);
			clients.set(client.token, client);
			return client;
		},
		requests,
		unexpectedRequests,
		stop: () => {
			server.close();
			server.closeAllConnections();
		},
	};
}

/** The call of the contract with this method and path. */
function callOf(method: string, url: string): CallName | undefined {
	const names = Object.keys(CALLS) as CallName[];
	return names.find(
		(name) => method === CALLS[name] && url === `${BASE}/${name}`,
	);
}

/** The client's token: the bearer, or the one in the body of a validation. */
function tokenOf({
	headers,
	body,
}: Pick<RecordedRequest, "headers" | "body">): string {
	const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? "")?.[1];
	return bearer ?? (body as { token?: string } | undefined)?.token ?? "";
}

function send(response: ServerResponse, scripted: ScriptedResponse): void {
	if (scripted === "drop") {
		response.destroy();
	} else if (scripted === "cut") {
		response.writeHead(200, {
			"content-type": "application/json",
			"content-length": "1000",
		});
		response.write('{"data":', () => response.destroy());
	} else if ("text" in scripted) {
		response
			.writeHead(scripted.status ?? 200, { "content-type": scripted.type })
			.end(scripted.text);
	} else {
		response.writeHead(scripted.status ?? 200, {
			"content-type": "application/json",
			...scripted.headers,
		});
		response.end(JSON.stringify(scripted.json));
	}
}
