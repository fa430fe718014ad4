import {
	useEffect,
	useEffectEvent,
	useState,
	useSyncExternalStore,
} from "react";
import { bankForm as words } from "../messages";
import type { Client } from "../page/client";
import { usePage } from "../use-page";
import { bankList, type ListedBank } from "./bank-list";

/** The state of the list. `retrying` is loading after a failure. `why` is the message shown to the person. */
export type Banks =
	| { status: "loading" | "retrying" }
	| { status: "failed"; why: string }
	| { status: "ready"; list: readonly ListedBank[] };

type BankStore = {
	state(): Banks;
	/** Calls `listener` after each change of the state. Returns a function that unsubscribes it. */
	subscribe(listener: () => void): () => void;
	/** Requests the list. Has no effect after the first call. */
	begin(): void;
	/** Requests the list again, after a failure. */
	retry(): void;
};

/** The list of banks, outside of React, so that it is requested once although React runs effects twice. */
function createBanks(client: Client, session: string): BankStore {
	let state: Banks = { status: "loading" };
	let hasBegun = false;
	const listeners = new Set<() => void>();

	function set(next: Banks): void {
		state = next;
		for (const listener of listeners) listener();
	}

	async function load(): Promise<void> {
		const answer = await client.post("list_banks", { session });
		if (!answer.ok) {
			await client.handleFailure(answer.failure);
			set({ status: "failed", why: words.banksFailed });
		} else if (answer.data.banks.length === 0) {
			set({ status: "failed", why: words.banksEmpty });
		} else {
			set({ status: "ready", list: bankList(answer.data.banks) });
		}
	}

	return {
		state: () => state,
		subscribe(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		begin() {
			if (hasBegun) return;
			hasBegun = true;
			void load();
		},
		retry() {
			set({ status: "retrying" });
			void load();
		},
	};
}

type BankList = {
	banks: Banks;
	/** Loads the list again. */
	retry: () => void;
};

/** Loads the list of banks, once per visit. `onList` is called when it arrives, before it is shown. */
export function useBanks(
	session: string,
	onList: (list: readonly ListedBank[]) => void,
): BankList {
	const { client } = usePage();
	const [store] = useState(() => createBanks(client, session));
	const banks = useSyncExternalStore(store.subscribe, store.state, store.state);
	const follow = useEffectEvent((state: Banks) => {
		if (state.status === "ready") onList(state.list);
	});
	useEffect(() => store.subscribe(() => follow(store.state())), [store]);
	useEffect(() => store.begin(), [store]);
	return { banks, retry: store.retry };
}

export function isLoading({ status }: Pick<Banks, "status">): boolean {
	return status === "loading" || status === "retrying";
}
