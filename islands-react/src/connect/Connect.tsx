import {
	type ReactNode,
	useEffect,
	useId,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import { ACCOUNTS } from "../generated/routes";
import type { PageContext } from "../generated/types";
import { common, connect as words } from "../messages";
import { Button } from "../ui/Button";
import { focusOnAppear } from "../ui/focus-on-appear";
import { Live } from "../ui/Live";
import { Loading } from "../ui/Loading";
import { Named } from "../ui/Named";
import { PROGRESS_ID, Progress } from "../ui/Progress";
import { useHydrated } from "../ui/use-hydrated";
import { useShortly } from "../ui/use-shortly";
import { usePage } from "../use-page";
import { ConnectDialog, UpdateReason } from "./ConnectDialog";
import { FIRST, type State } from "./state";
import { createVisit } from "./visit";

type Props = Pick<PageContext, "session" | "customerName" | "bank"> & {
	/** A connection is renewed. The screen then names the reason, because it is no step of the journey. */
	isUpdate?: boolean;
};

export function Connect({
	session,
	customerName: firm,
	bank: knownBank,
	isUpdate = false,
}: Props): ReactNode {
	const page = usePage();
	const [visit] = useState(() => createVisit(page, session, knownBank));
	const state = useSyncExternalStore(visit.subscribe, visit.state, atFirst);
	const bank = knownBank || words.yourBank;
	const title = useRef<HTMLHeadingElement>(null);
	const waitsFor = waitingText(state, bank);
	// The open dialog makes this region inert, and announces its own texts.
	const said = useShortly(state.status === "widget" ? "" : waitsFor);

	useEffect(() => visit.begin(), [visit]);
	// Escape closes the dialog, which navigates. A held key repeats afterwards, and would stop the
	// navigation.
	useEffect(() => {
		const ignoreRepeated = (event: KeyboardEvent): void => {
			if (event.key === "Escape" && event.repeat) event.preventDefault();
		};
		addEventListener("keydown", ignoreRepeated);
		return () => removeEventListener("keydown", ignoreRepeated);
	}, []);

	function retry(): void {
		// The pressed button is removed.
		title.current?.focus({ preventScroll: true });
		visit.retry();
	}

	return (
		<>
			{!isUpdate && (
				<Progress at={isConfirming(state) ? "confirm" : "connect"} />
			)}
			<div className="band__sheet">
				{isUpdate ? (
					<UpdateReason firm={firm} heading={title} />
				) : (
					<h1
						ref={title}
						className="step__title visually-hidden"
						tabIndex={-1}
						aria-describedby={PROGRESS_ID}
					>
						{words.dialog}
					</h1>
				)}
				<Status state={state} bank={bank} waitsFor={waitsFor} retry={retry} />
			</div>
			<Live className="visually-hidden">{said}</Live>
			{state.status === "widget" && (
				<ConnectDialog
					start={state.start}
					ready={state.ready}
					approval={state.approval}
					updateFor={isUpdate ? firm : undefined}
					emit={visit.follow}
				/>
			)}
		</>
	);
}

/** The prerendered state. */
function atFirst(): State {
	return FIRST;
}

/** Whether the account is connected, and only the confirmation is left. */
function isConfirming({ status }: State): boolean {
	return ["finishing", "confirmFailed", "refused", "done"].includes(status);
}

/** The text of a wait; empty if there is none, or if the dialog covers it. */
function waitingText(state: State, bank: string): string {
	switch (state.status) {
		case "requestingToken":
			return words.opening.join(bank);
		case "widget":
			return state.ready ? "" : words.opening.join(bank);
		case "closed":
			return words.toAccounts;
		case "leaving":
			return words.leaving;
		case "finishing":
		case "done":
			return words.finishing;
		case "stopped":
		case "failed":
		case "confirmFailed":
		case "refused":
			return "";
	}
}

type StatusProps = {
	state: State;
	bank: string;
	waitsFor: string;
	retry: () => void;
};

/** What the card shows below its title. */
function Status({ state, bank, waitsFor, retry }: StatusProps): ReactNode {
	switch (state.status) {
		case "failed":
			return (
				<Problem
					title={words.failedTitle}
					text={words.failedText}
					retry={retry}
				/>
			);
		case "confirmFailed":
			return (
				<Problem
					title={words.confirmFailedTitle}
					text={words.confirmFailedText}
					retry={retry}
				/>
			);
		case "refused":
			return <Problem title={words.refusedTitle} text={words.refusedText} />;
		case "requestingToken":
		case "widget":
			return (
				waitsFor !== "" && (
					<Loading key="opening" title={<Opening bank={bank} />}>
						<p>{words.openingText}</p>
						{state.status === "requestingToken" ? (
							<a className="link-quiet" href={ACCOUNTS}>
								{words.back}
							</a>
						) : (
							// The modal dialog covers the link and has its own button. The space stays reserved.
							<span className="link-quiet" aria-hidden="true" />
						)}
					</Loading>
				)
			);
		default:
			return (
				waitsFor !== "" && (
					<Loading key={waitsFor} title={waitsFor}>
						{isConfirming(state) && <p>{words.finishingText}</p>}
						{"isStalled" in state && state.isStalled && (
							<a className="link-quiet" href={ACCOUNTS}>
								{words.accounts}
							</a>
						)}
					</Loading>
				)
			);
	}
}

/** "Abrindo a conexão com Itaú…". In the prerendered screen, the words for an unknown bank stand in place of its name. */
function Opening({ bank }: { bank: string }): ReactNode {
	const isHydrated = useHydrated();
	if (isHydrated && bank === words.yourBank)
		return <span>{words.opening.join(bank)}</span>;
	return <Named text={words.opening} name={bank} />;
}

function Problem({
	title,
	text,
	retry,
}: {
	title: string;
	text: string;
	/** Absent if it cannot help. */
	retry?: () => void;
}): ReactNode {
	const textId = useId();
	return (
		<div className="connect__problem">
			<h2
				ref={focusOnAppear}
				className="step__title"
				tabIndex={-1}
				aria-describedby={textId}
			>
				{title}
			</h2>
			<p id={textId}>{text}</p>
			<div className="actions">
				{retry && (
					<Button kind="primary" onClick={retry}>
						{common.tryAgain}
					</Button>
				)}
				<a className="button button--quiet" href={ACCOUNTS}>
					{words.accounts}
				</a>
			</div>
		</div>
	);
}
