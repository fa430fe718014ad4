import { useEffect, useEffectEvent, useState } from "react";
import { bankForm as words } from "../messages";
import { usePage } from "../use-page";
import { bankList, type ListedBank } from "./bank-list";

/**
 * The state of the list. `retrying` is loading after a failure. `why` is the message shown to the person.
 */
export type Banks =
	| { status: "loading" | "retrying" }
	| { status: "failed"; why: string }
	| { status: "ready"; list: readonly ListedBank[] };

type BankList = {
	banks: Banks;
	/** Loads the list again. */
	retry: () => void;
};

/** Loads the list of banks, once per visit. `onList` is called when it arrives. */
export function useBanks(
	session: string,
	onList: (list: readonly ListedBank[]) => void,
): BankList {
	const { client } = usePage();
	const [banks, setBanks] = useState<Banks>({ status: "loading" });
	const [attempt, setAttempt] = useState(1);
	const receive = useEffectEvent(onList);

	// biome-ignore lint/correctness/useExhaustiveDependencies: each attempt loads the list
	useEffect(() => {
		const controller = new AbortController();
		const { signal } = controller;

		async function load(): Promise<void> {
			const answer = await client.post("list_banks", { session }, { signal });
			if (signal.aborted) return;
			if (!answer.ok) {
				// Quiet, because the form announces the failure.
				await client.handleFailure(answer.failure, { isQuiet: true });
				fail(words.banksFailed);
			} else if (answer.data.banks.length === 0) {
				fail(words.banksEmpty);
			} else {
				const list = bankList(answer.data.banks);
				setBanks({ status: "ready", list });
				receive(list);
			}
		}

		function fail(why: string): void {
			setBanks({ status: "failed", why });
		}

		void load();
		return () => controller.abort();
	}, [client, session, attempt]);

	function retry(): void {
		setBanks({ status: "retrying" });
		setAttempt((before) => before + 1);
	}

	return { banks, retry };
}

export function isLoading({ status }: Pick<Banks, "status">): boolean {
	return status === "loading" || status === "retrying";
}
