import {
	type ReactNode,
	type Ref,
	useEffect,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import type { ConnectStart } from "../generated/types";
import { progress, connect as words } from "../messages";
import { Button } from "../ui/Button";
import { Live } from "../ui/Live";
import { Slow } from "../ui/Loading";
import { Named } from "../ui/Named";
import { useShortly } from "../ui/use-shortly";
import { usePage } from "../use-page";
import { openPluggy, type PluggyEvent } from "./pluggy";
import type { State } from "./state";

type Props = {
	start: ConnectStart;
	ready: boolean;
	approval: Extract<State, { status: "widget" }>["approval"];
	/** The firm that asks for an update. */
	updateFor: string | undefined;
	emit: (event: PluggyEvent) => void;
};

/**
 * Pluggy's window in a modal dialog, which provides what the SDK's modal lacks: role, name, focus, a
 * close button, and an inert page behind it.
 */
export function ConnectDialog({
	start,
	ready,
	approval,
	updateFor,
	emit,
}: Props): ReactNode {
	const { client, toast } = usePage();
	const dialog = useRef<HTMLDialogElement>(null);
	const title = useRef<HTMLHeadingElement>(null);
	const frame = useRef<HTMLDivElement>(null);
	const toastRegion = useRef<HTMLDivElement>(null);
	// Another owner of the account has to approve. The notice takes space from the bank's window, so the
	// person can dismiss it.
	const [notice, setNotice] = useState<"due" | "read">();
	const hasNotice = notice === "due" && approval !== "none";
	// Names the step, because the page's title, which does, may become inert before it is read.
	const announcement =
		updateFor === undefined
			? `${progress.connect}. ${words.opened}`
			: words.opened;
	const opened = useShortly(ready ? announcement : "");
	const close = () => emit({ type: "closed" });
	const titleId = useId();

	// A layout effect opens the dialog before the first paint, and closes it while it is still in the
	// document, so that closing restores the focus.
	useLayoutEffect(() => {
		const element = dialog.current;
		const container = frame.current;
		const region = toastRegion.current;
		if (element === null || container === null || region === null) return;
		element.showModal();
		// The title and not the dialog gets the focus: screen readers would read the whole frame.
		title.current?.focus({ preventScroll: true });
		const showToastOutside = toast.showIn(region);
		const closeWindow = openPluggy(container, start, (event) => {
			if (event.type === "error" && event.pending)
				setNotice((before) => before ?? "due");
			emit(event);
		});
		return () => {
			closeWindow();
			showToastOutside();
			element.close();
		};
	}, [toast, start, emit]);

	// Escape closes the dialog. Its default is prevented because it would stop the navigation that
	// follows. The listener captures the event, because the SDK also listens on the document. A press
	// inside the frame is handled by Pluggy.
	useEffect(() => {
		const press = (event: KeyboardEvent): void => {
			// If another tab has replaced the session, its notice is open above this dialog.
			if (event.key !== "Escape" || client.stopped.aborted) return;
			event.preventDefault();
			emit({ type: "closed" });
		};
		addEventListener("keydown", press, { capture: true });
		return () => removeEventListener("keydown", press, { capture: true });
	}, [client, emit]);

	function dismissNotice(): void {
		// The pressed button is removed.
		title.current?.focus({ preventScroll: true });
		setNotice("read");
	}

	return (
		<dialog
			ref={dialog}
			className="connect__dialog"
			aria-labelledby={titleId}
			onCancel={(event) => {
				// The back gesture of a phone. The dialog closes with the widget.
				event.preventDefault();
				close();
			}}
		>
			<h2 id={titleId} ref={title} className="visually-hidden" tabIndex={-1}>
				{words.dialog}
			</h2>
			<Live className="visually-hidden">{opened}</Live>
			<div className="visually-hidden">
				<Slow busy={!ready} />
			</div>
			<div className="connect__frame" aria-busy={!ready} ref={frame} />
			{updateFor === undefined ? (
				<div className="connect__reason">
					<p className="step__title">{words.reasonTitle}</p>
					<p>{words.reason}</p>
				</div>
			) : (
				<UpdateReason firm={updateFor} />
			)}
			<div className="connect__notice">
				<div className={hasNotice ? "notice" : undefined}>
					{/* Without the buttons, whose names would be read as well. */}
					<div aria-live="polite" aria-atomic="true">
						{hasNotice && (
							<>
								<p>
									<strong>{words.pending}</strong>
								</p>
								<p>
									{approval === "told" ? words.pendingTold : words.pendingText}
								</p>
							</>
						)}
					</div>
					{hasNotice && (
						<div className="actions">
							<Button kind="primary" onClick={close}>
								{words.accounts}
							</Button>
							<Button kind="quiet" onClick={dismissNotice}>
								{words.hidePending}
							</Button>
						</div>
					)}
				</div>
			</div>
			{/* After the frame, because the SDK's overlay has the maximum z-index. */}
			<Button kind="secondary" className="connect__close" onClick={close}>
				{words.close}
			</Button>
			{/* A live region outside a modal dialog would be inert: neither announced nor clickable. */}
			<div ref={toastRegion} className="toasts" aria-live="assertive" />
		</dialog>
	);
}

/** The firm that asks for an update, and why. With `heading` the title is the page's heading. */
export function UpdateReason({
	firm,
	heading,
}: {
	firm: string;
	heading?: Ref<HTMLHeadingElement>;
}): ReactNode {
	const title = <Named text={words.updateTitle} name={firm} />;
	return (
		<div className="connect__reason">
			{heading === undefined ? (
				<p className="step__title">{title}</p>
			) : (
				<h1 ref={heading} className="step__title" tabIndex={-1}>
					{title}
				</h1>
			)}
			<p>{words.updateReason}</p>
		</div>
	);
}
