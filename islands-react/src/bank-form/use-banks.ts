import { useEffect, useEffectEvent, useRef, useState } from "react";
import { bankForm as words } from "../messages";
import { usePage } from "../use-page";
import { bankList, type ListedBank } from "./bank-list";

/** `why`: what the person reads. `isAwaited`: the form was sent before there was a list. `retrying`: loading after a failure. */
export type Banks =
	| { status: "loading" | "retrying"; isAwaited: boolean }
	| { status: "failed"; why: string; isAwaited: boolean }
	| { status: "ready"; list: readonly ListedBank[] };

type Loading = {
	banks: Banks;
	/** Loads the list again. */
	retry: () => void;
	/** Notes that the form was sent: without a list it waits for one. */
	awaitList: () => void;
};

/** The list of banks, loaded once for each visit: it does not change with anything on the screen. */
export function useBanks(session: string, firm: string): Loading {
	const page = usePage();
	const [banks, setBanks] = useState<Banks>({
		status: "loading",
		isAwaited: false,
	});
	const request = useRef<AbortController>(null);

	async function load(status: "loading" | "retrying"): Promise<void> {
		const controller = new AbortController();
		const { signal } = controller;
		request.current = controller;
		setBanks((before) => ({ status, isAwaited: isAwaited(before) }));
		const answer = await page.post("list_banks", { session }, false, 0, signal);
		if (signal.aborted) return;
		if (!answer.ok && !page.handleFailure(answer.failure)) return;
		const fail = (why: string) =>
			setBanks({ status: "failed", why, isAwaited: false });
		if (!answer.ok) fail(words.banksFailed);
		else if (answer.data.banks.length === 0) fail(words.banksEmpty(firm));
		else setBanks({ status: "ready", list: bankList(answer.data.banks) });
	}

	const loadFirst = useEffectEvent(load);
	useEffect(() => {
		void loadFirst("loading");
		return () => request.current?.abort();
	}, []);

	return {
		banks,
		retry: () => void load("retrying"),
		awaitList: () =>
			setBanks((before) =>
				before.status === "ready" ? before : { ...before, isAwaited: true },
			),
	};
}

export function isLoading({ status }: Pick<Banks, "status">): boolean {
	return status === "loading" || status === "retrying";
}

export function isAwaited(banks: Banks): boolean {
	return banks.status !== "ready" && banks.isAwaited;
}
