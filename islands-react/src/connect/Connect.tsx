import {
	type ReactNode,
	useEffect,
	useId,
	useRef,
	useState,
	useSyncExternalStore,
} from "react";
import { ACCOUNTS } from "../generated/routes";
import type { Context } from "../generated/types";
import { common, connect as words } from "../messages";
import { Button } from "../ui/Button";
import { focusOnAppear } from "../ui/focus-on-appear";
import { Live } from "../ui/Live";
import { Loading, useStays } from "../ui/Loading";
import { PROGRESS_ID, Progress } from "../ui/Progress";
import { usePage } from "../use-page";
import { ConnectDialog, UpdateReason } from "./ConnectDialog";
import { FIRST, type State } from "./state";
import { createVisit } from "./visit";

/** A dialog makes the page inert, and screen readers miss what has changed on it before they have noticed its end. */
const SAID_AFTER_MS = 200;

/** The page goes then. */
const LEAVING: readonly State["status"][] = [
	"closed",
	"leaving",
	"finishing",
	"done",
];

type Props = Pick<Context, "session" | "customerName" | "bank" | "widgetType">;

export function Connect({
	session,
	customerName: firm,
	bank,
	widgetType,
}: Props): ReactNode {
	const page = usePage();
	const [visit] = useState(() => createVisit(page, session, bank));
	const state = useSyncExternalStore(visit.subscribe, visit.state, atFirst);
	/** In which the page was left and is still there: the notice with the way on takes the place of the spinner. */
	const [stuck, setStuck] = useState<State>();
	const title = useRef<HTMLHeadingElement>(null);
	const isUpdate = widgetType === "update";
	const waitsFor = state === stuck ? "" : waitingText(state, bank);
	// Under the open dialog nothing is heard. The dialog has its own words.
	const said = useShortly(state.status === "widget" ? "" : waitsFor);

	useEffect(() => visit.begin(), [visit]);
	useStays(() => LEAVING.includes(state.status) && setStuck(state));

	function retry(): void {
		// The button goes.
		title.current?.focus({ preventScroll: true });
		visit.retry();
	}

	return (
		<section className="connect">
			<div className="step connect__card">
				<p className="connect__firm">{firm}</p>
				{isUpdate ? (
					<UpdateReason firm={firm} heading={title} />
				) : (
					<div>
						<Progress at="connect" />
						<h1
							ref={title}
							className="step__title visually-hidden"
							tabIndex={-1}
							aria-describedby={PROGRESS_ID}
						>
							{words.dialog}
						</h1>
					</div>
				)}
				<Status state={state} waitsFor={waitsFor} retry={retry} />
				<Live className="visually-hidden">{said}</Live>
			</div>
			{state.status === "widget" && (
				<ConnectDialog
					start={state.start}
					ready={state.ready}
					updateFor={isUpdate ? firm : undefined}
					emit={visit.follow}
				/>
			)}
		</section>
	);
}

/** As it is prerendered. */
function atFirst(): State {
	return FIRST;
}

/** What the person waits for; empty if for nothing, or if it is not seen. */
function waitingText(state: State, bank: string): string {
	switch (state.status) {
		case "requestingToken":
			return words.opening(bank);
		case "widget":
			return state.ready ? "" : words.opening(bank);
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
			return "";
	}
}

/** `text` a little after it has changed; empty until then. */
function useShortly(text: string): string {
	const [said, setSaid] = useState("");
	useEffect(() => {
		const timer = setTimeout(() => setSaid(text), SAID_AFTER_MS);
		return () => clearTimeout(timer);
	}, [text]);
	return said === text ? said : "";
}

type StatusProps = { state: State; waitsFor: string; retry: () => void };

/** The content under or instead of the widget. */
function Status({ state, waitsFor, retry }: StatusProps): ReactNode {
	switch (state.status) {
		case "failed":
			return (
				<Retry
					title={words.failedTitle}
					text={words.failedText}
					retry={retry}
				/>
			);
		case "confirmFailed":
			return (
				<Retry
					title={words.confirmFailedTitle}
					text={words.confirmFailedText}
					retry={retry}
				/>
			);
		case "requestingToken":
		case "widget":
			return (
				waitsFor !== "" && (
					<Loading key="opening" title={waitsFor}>
						<p>{words.openingText}</p>
						{state.status === "requestingToken" ? (
							<a className="link-quiet" href={ACCOUNTS}>
								{words.back}
							</a>
						) : (
							// Out of reach under the modal dialog, which has its own button. Its place stays.
							<span className="link-quiet" aria-hidden="true" />
						)}
					</Loading>
				)
			);
		default:
			return waitsFor !== "" && <Loading key={waitsFor} title={waitsFor} />;
	}
}

function Retry({
	title,
	text,
	retry,
}: {
	title: string;
	text: string;
	retry: () => void;
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
				<Button kind="primary" onClick={retry}>
					{common.tryAgain}
				</Button>
				<a className="button button--quiet" href={ACCOUNTS}>
					{words.accounts}
				</a>
			</div>
		</div>
	);
}
