import {
	type FormEvent,
	type ReactNode,
	useId,
	useLayoutEffect,
	useRef,
	useState,
} from "react";
import { WIDGET } from "../generated/routes";
import { common, consent as words } from "../messages";
import { Button } from "../ui/Button";
import { Slow, useStays } from "../ui/Loading";
import { usePage } from "../use-page";

/** `refused`: it was pressed without the tick. */
type Status = "open" | "refused" | "sending";

type ConsentFormProps = { session: string; text: string; customerName: string };

/**
 * The box and the button. Until React has hydrated it, the browser operates this form, and posts it; so the style sheet too
 * knows whether the box is ticked.
 */
export function ConsentForm({
	session,
	text,
	customerName,
}: ConsentFormProps): ReactNode {
	const page = usePage();
	// `null` before hydration. The tick itself is the browser's: it may be made while React hydrates.
	const [isTicked, setTicked] = useState<boolean | null>(null);
	const [status, setStatus] = useState<Status>("open");
	const box = useRef<HTMLInputElement>(null);
	const ids = { box: useId(), hint: useId() };
	const isBusy = status === "sending";
	// A hidden hint would still be read as the description of what refers to it.
	const describedBy = isTicked ? undefined : ids.hint;

	useLayoutEffect(() => setTicked(box.current?.checked ?? false), []);
	useStays(() => setStatus("open"));

	async function submit(event: FormEvent): Promise<void> {
		// The browser's own post would leave the consent in the history.
		event.preventDefault();
		if (isBusy) return;
		if (!isTicked) {
			// The box says why. The button is `aria-disabled`, so that it can be reached and pressed.
			setStatus("refused");
			box.current?.focus();
			return;
		}
		setStatus("sending");
		const answer = await page.post("accept_consent", { session, text });
		if (answer.ok) page.replace(answer.data.to);
		else if (page.handleFailure(answer.failure)) setStatus("open");
	}

	return (
		<form
			className="step__form"
			method="post"
			action={WIDGET}
			autoComplete="off"
			// Without React the browser's own words say that the box is missing.
			noValidate={isTicked !== null}
			data-refused={status === "refused" ? "" : undefined}
			onSubmit={submit}
		>
			<input type="hidden" name="session" value={session} />
			<input type="hidden" name="text" value={text} />
			<div className="checkbox">
				<input
					ref={box}
					className="checkbox__input"
					type="checkbox"
					id={ids.box}
					name="consent"
					value="yes"
					// With it screen readers call the untouched box invalid. The browser's own check is needed without React.
					required={isTicked === null}
					aria-required={isTicked !== null || undefined}
					aria-describedby={describedBy}
					aria-invalid={status === "refused" || undefined}
					onChange={({ target }) => {
						setTicked(target.checked);
						if (!isBusy) setStatus("open");
					}}
				/>
				<label className="checkbox__label" htmlFor={ids.box}>
					<span>{words.boxBefore}</span>{" "}
					<span className="checkbox__firm">{customerName}</span>{" "}
					<span>{words.boxAfter}</span>
				</label>
			</div>
			<details className="disclosure">
				<summary>{words.doubt}</summary>
				<p>
					<span>{words.notYouBefore}</span> <span>{customerName}</span>
					<span>.</span> <span>{words.unknownBefore}</span>{" "}
					<span>{customerName}</span> <span>{words.unknownAfter}</span>
				</p>
			</details>
			<div className="actions">
				<Button
					kind="primary"
					type="submit"
					busy={isBusy}
					aria-disabled={isTicked === false || isBusy || undefined}
					aria-describedby={describedBy}
				>
					{words.submit}
				</Button>
				<p className="button__hint" id={ids.hint} hidden={isTicked === true}>
					{words.hint}
				</p>
			</div>
			<Slow busy={isBusy} soon={common.sending} />
		</form>
	);
}
