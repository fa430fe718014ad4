import {
	type MouseEvent,
	type ReactNode,
	type SubmitEvent,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { WIDGET } from "../generated/routes";
import { CONSENT_VERSION } from "../generated/words";
import { common, consent as words } from "../messages";
import { Button } from "../ui/Button";
import { Live } from "../ui/Live";
import { Slow } from "../ui/Loading";
import { useHydrated } from "../ui/use-hydrated";
import { usePage } from "../use-page";

/** `unticked`: the button was pressed without the tick. `unanswered`: the call had no response. */
type Status = "open" | "unticked" | "sending" | "unanswered";

/**
 * The form with the box and the button. Before hydration the browser validates and posts it, and the
 * style sheet shows whether the box is ticked.
 */
export function ConsentForm({ session }: { session: string }): ReactNode {
	const { client, replace } = usePage();
	const isHydrated = useHydrated();
	const [isTicked, setTicked] = useState(false);
	const [status, setStatus] = useState<Status>("open");
	const box = useRef<HTMLInputElement>(null);
	const ids = { box: useId(), hint: useId() };
	const isBusy = status === "sending";
	// A hidden hint would still be read as a description.
	const describedBy = isTicked ? undefined : ids.hint;

	// The box is uncontrolled, because it may be ticked before and during hydration.
	useLayoutEffect(() => setTicked(box.current?.checked ?? false), []);

	/**
	 * Handles clicks and not changes: React would count a click that is prevented as a change, and then
	 * miss the next one.
	 */
	function tick(event: MouseEvent<HTMLInputElement>): void {
		// What is shown is what was sent.
		if (isBusy) {
			event.preventDefault();
			return;
		}
		setTicked(event.currentTarget.checked);
		setStatus("open");
	}

	async function submit(event: SubmitEvent): Promise<void> {
		// A native post would add an entry to the history.
		event.preventDefault();
		if (!isTicked) {
			// The focused box has the reason as its description. The button is `aria-disabled` and not
			// `disabled`, so that it can be focused and pressed.
			setStatus("unticked");
			box.current?.focus();
			return;
		}
		setStatus("sending");
		const answer = await client.post("accept_consent", {
			session,
			version: CONSENT_VERSION,
		});
		if (answer.ok) {
			await replace(answer.data.to);
			setStatus("open");
		} else {
			await client.handleFailure(answer.failure);
			setStatus("unanswered");
		}
	}

	return (
		<form
			className="step__form"
			method="post"
			action={WIDGET}
			autoComplete="off"
			// Before hydration the browser's own message asks for the tick.
			noValidate={isHydrated}
			data-unticked={status === "unticked" ? "" : undefined}
			onSubmit={submit}
		>
			<input type="hidden" name="session" value={session} />
			<div className="checkbox">
				<input
					ref={box}
					className="checkbox__input"
					type="checkbox"
					id={ids.box}
					name="consent"
					value={CONSENT_VERSION}
					// For the browser's validation before hydration. Later it is removed, because with it screen
					// readers announce the untouched box as invalid.
					required={!isHydrated}
					aria-required={isHydrated || undefined}
					aria-describedby={describedBy}
					aria-invalid={status === "unticked" || undefined}
					aria-disabled={isBusy || undefined}
					onClick={tick}
				/>
				<label className="checkbox__label" htmlFor={ids.box}>
					{words.box}
				</label>
			</div>
			<div className="actions">
				<Button
					kind="primary"
					type="submit"
					busy={isBusy}
					aria-disabled={isHydrated && !isTicked}
					aria-describedby={describedBy}
				>
					{words.submit}
				</Button>
				<p className="button__hint" id={ids.hint} hidden={isTicked}>
					{words.hint}
				</p>
				<Live className="button__hint">
					{status === "unanswered" ? common.unanswered : ""}
				</Live>
			</div>
			<Slow busy={isBusy} soon={common.sending} />
		</form>
	);
}
