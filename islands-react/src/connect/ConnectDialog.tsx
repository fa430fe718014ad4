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
import { usePage } from "../use-page";
import { openPluggy, type PluggyEvent } from "./pluggy";

type Props = {
	start: ConnectStart;
	ready: boolean;
	/** The firm that asks for an update: shown with its reason beside the window where there is room. */
	updateFor: string | undefined;
	emit: (event: PluggyEvent) => void;
};

/**
 * Pluggy's window, and what its modal lacks: dialog role, name, focus, a close button, and a page behind it that cannot be
 * reached.
 */
export function ConnectDialog({
	start,
	ready,
	updateFor,
	emit,
}: Props): ReactNode {
	const page = usePage();
	const dialog = useRef<HTMLDialogElement>(null);
	const title = useRef<HTMLHeadingElement>(null);
	const frame = useRef<HTMLDivElement>(null);
	const toasts = useRef<HTMLDivElement>(null);
	// Another owner of the account has to approve. On a phone the notice covers the bank's window, so it can be dismissed.
	const [notice, setNotice] = useState<"shown" | "read">();
	const close = () => emit({ type: "closed" });
	const ids = { title: useId(), step: useId() };

	// Before the first paint, and undone while the dialog is still in the document: closing gives the focus back.
	useLayoutEffect(() => {
		const [element, container, region] = [
			dialog.current,
			frame.current,
			toasts.current,
		];
		if (element === null || container === null || region === null) return;
		element.showModal();
		// Not the dialog itself: screen readers would read all of the frame.
		title.current?.focus({ preventScroll: true });
		const showToastsOutside = page.showToastsIn(region);
		const closeWindow = openPluggy(container, start, (event) => {
			if (event.type === "error" && event.pending)
				setNotice((before) => before ?? "shown");
			emit(event);
		});
		return () => {
			closeWindow();
			showToastsOutside();
			element.close();
		};
	}, [page, start, emit]);

	// Its default would stop the navigation that closing begins. Captured, because the SDK listens to it on the document, and
	// closes too. Pressed in the frame it is Pluggy's.
	useEffect(() => {
		const press = (event: KeyboardEvent): void => {
			// Another tab's session has stopped the page: the notice of that is above.
			if (event.key !== "Escape" || page.stopped.aborted) return;
			event.preventDefault();
			emit({ type: "closed" });
		};
		addEventListener("keydown", press, { capture: true });
		// Held, the key repeats when the dialog is gone.
		addEventListener("keydown", ignoreRepeatedEscape);
		return () => removeEventListener("keydown", press, { capture: true });
	}, [page, emit]);

	function dismissNotice(): void {
		// The button goes.
		title.current?.focus({ preventScroll: true });
		setNotice("read");
	}

	return (
		<dialog
			ref={dialog}
			className="connect__dialog"
			aria-labelledby={ids.title}
			aria-busy={!ready}
			data-open={ready || undefined}
			onCancel={(event) => {
				// Back on a phone. It closes when the widget does.
				event.preventDefault();
				close();
			}}
		>
			<h2
				id={ids.title}
				ref={title}
				className="visually-hidden"
				tabIndex={-1}
				aria-describedby={updateFor === undefined ? ids.step : undefined}
			>
				{words.dialog}
			</h2>
			{updateFor === undefined && (
				<p id={ids.step} hidden>
					{progress.connect}
				</p>
			)}
			<Live className="visually-hidden">{ready && words.opened}</Live>
			<div className="visually-hidden">
				<Slow busy={!ready} />
			</div>
			<div className="connect__frame" ref={frame} />
			{updateFor !== undefined && <UpdateReason firm={updateFor} />}
			<div className="connect__notice" aria-live="polite" aria-atomic="true">
				{notice === "shown" && (
					<div className="notice">
						<div>
							<p>
								<strong>{words.pending}</strong>
							</p>
							<p>{words.pendingText}</p>
						</div>
						<div className="actions">
							<Button kind="secondary" onClick={close}>
								{words.accounts}
							</Button>
							<Button kind="quiet" onClick={dismissNotice}>
								{words.pendingRead}
							</Button>
						</div>
					</div>
				)}
			</div>
			{/* After the frame: the SDK's overlay has the maximum z-index, and of equal ones the later element is on top. */}
			<button
				type="button"
				className="connect__close button button--secondary"
				onClick={close}
			>
				{words.close}
			</button>
			{/* Everything outside a modal dialog is inert, and an inert live region is neither heard nor pressed. */}
			<div ref={toasts} className="toasts" aria-live="assertive" />
		</dialog>
	);
}

/** Who asks for an update, and why. `heading`: its title is the page's heading. */
export function UpdateReason({
	firm,
	heading,
}: {
	firm: string;
	heading?: Ref<HTMLHeadingElement>;
}): ReactNode {
	const title = words.updateTitle(firm);
	return (
		<div className="connect__reason">
			{heading === undefined ? (
				<p className="step__title">{title}</p>
			) : (
				<h1 ref={heading} className="step__title" tabIndex={-1}>
					{title}
				</h1>
			)}
			<p>{words.updateReason(firm)}</p>
		</div>
	);
}

function ignoreRepeatedEscape(event: KeyboardEvent): void {
	if (event.key === "Escape" && event.repeat) event.preventDefault();
}
