import {
	type ReactNode,
	type SubmitEvent,
	useEffect,
	useId,
	useRef,
	useState,
} from "react";
import { flushSync } from "react-dom";
import { ACCOUNTS } from "../generated/routes";
import type {
	Administrator,
	BankFormContext,
	BankFormField,
} from "../generated/types";
import { common, bankForm as words } from "../messages";
import { Button } from "../ui/Button";
import { Live } from "../ui/Live";
import { Slow } from "../ui/Loading";
import { PROGRESS_ID, Progress } from "../ui/Progress";
import { useHydrated } from "../ui/use-hydrated";
import { BankPicker } from "./BankPicker";
import type { ListedBank } from "./bank-list";
import { keepDraft } from "./draft";
import { Field, type FieldInput, TextField } from "./Field";
import {
	checkFields,
	eachField,
	FIELD_NAMES,
	FIELDS,
	type FieldErrors,
	type FieldName,
	ORDER,
	type Values,
} from "./fields";
import { NotYou } from "./NotYou";
import { useBankPicker } from "./use-bank-picker";
import { isLoading } from "./use-banks";
import { useSubmission } from "./use-submission";

type Props = {
	session: string;
	saved: BankFormContext;
	firm: string;
};

export function BankForm({ session, saved, firm }: Props): ReactNode {
	const [values, setValues] = useState<Administrator>(() =>
		eachField((field) => saved[field]),
	);
	/**
	 * The errors that the server has found, each until its field is edited. Undefined until the form has
	 * been sent: before, no field shows an error.
	 */
	const [rejected, setRejected] = useState<FieldErrors>();
	const [summary, setSummary] = useState("");
	const [isEdited, setIsEdited] = useState(false);
	const { busy, isUnanswered, send } = useSubmission(session);
	/** The administrator's inputs, which are uncontrolled. */
	const inputs = useRef<Partial<Record<FieldName, FieldInput | null>>>({});
	// The prerendered form is the same for all sessions: empty and disabled.
	const isHydrated = useHydrated();
	const picker = useBankPicker({
		session,
		saved,
		isLocked: busy,
		onChange: () => edit("bank", {}),
	});
	/** The bank is undefined without a list, or if the list does not have the saved bank. */
	const { banks, bank } = picker;
	const errors = rejected && {
		...rejected,
		...checkFields({ ...values, ...valuesOf(bank) }),
	};
	const id = useId();

	const isFixed = (field: FieldName) =>
		isHydrated && saved.fixed.includes(field);
	const [firstFixed, ...othersFixed] = FIELD_NAMES.filter(isFixed);
	/** Only the first read-only field has a hint, which is for all of them. */
	const lockedHint = (field: FieldName) => {
		if (field !== firstFixed) return undefined;
		return othersFixed.length > 0 ? words.allLocked : words.locked;
	};
	const idOf = (field: BankFormField) => `${id}-${field}`;

	// Kept for a reload, once the person has edited something.
	useEffect(() => {
		if (!isEdited) return;
		keepDraft(session, {
			// Until the list has loaded, the saved bank is the chosen one.
			...(banks.status === "ready"
				? valuesOf(bank)
				: { bank: saved.bank, bankName: saved.bankName }),
			...eachField((name, { isKept }) => (isKept ? values[name] : undefined)),
		});
	}, [
		session,
		values,
		bank,
		banks.status,
		isEdited,
		saved.bank,
		saved.bankName,
	]);

	function edit(field: BankFormField, change: Partial<Administrator>): void {
		setIsEdited(true);
		setValues((before) => ({ ...before, ...change }));
		setRejected((before) => before && { ...before, [field]: undefined });
		setSummary("");
	}

	function errorOf(field: BankFormField): string | undefined {
		const code = errors?.[field];
		if (code === undefined) return undefined;
		if (field !== "bank") return FIELDS[field].errors[code];
		if (banks.status === "failed") return banks.why;
		if (isLoading(banks)) return words.bankWait;
		return code === "required" ? words.bankRequired : words.bankInvalid;
	}

	/** Shows the errors of the sent form, focuses the first invalid field, and announces their number. */
	function show(found: FieldErrors, ofServer: FieldErrors): void {
		// The error is rendered before the field gets the focus, so that it is read once, with the field.
		flushSync(() => {
			setRejected(ofServer);
			setSummary("");
		});
		const [first, ...others] = ORDER.filter(
			(field) => found[field] !== undefined,
		);
		if (first === undefined) return;
		inputOf(first)?.focus();
		setSummary(words.summary(1 + others.length));
	}

	function inputOf(field: BankFormField): FieldInput | null | undefined {
		return field === "bank" ? picker.input.current : inputs.current[field];
	}

	/** Takes and returns what the inputs show: password managers set values without an event. */
	function takeShown(): Values {
		const entered = eachField((field) => {
			const input = inputs.current[field];
			if (!input || isFixed(field)) return values[field];
			const { mask } = FIELDS[field];
			if (mask !== undefined) input.value = mask(input.value);
			if (input.value !== values[field]) edit(field, { [field]: input.value });
			return input.value;
		});
		return { ...entered, ...valuesOf(picker.settle()) };
	}

	async function submit(event: SubmitEvent<HTMLFormElement>): Promise<void> {
		event.preventDefault();
		const entered = flushSync(takeShown);
		const found = checkFields(entered);
		show(found, {});
		if (Object.keys(found).length > 0) return;
		const ofServer = await send(entered);
		if (ofServer !== undefined) show(ofServer, ofServer);
	}

	/** The bank's registered name, or in its place what can be typed, unless an error takes it. */
	function bankHint(): string | undefined {
		if (bank?.fullName !== undefined) return bank.fullName;
		if (errorOf("bank") !== undefined) return undefined;
		if (banks.status === "failed") return banks.why;
		if (isLoading(banks)) return words.banksLoading;
		return bank === undefined ? words.bankHelp : "";
	}

	return (
		<section className="step">
			<div className="step__head">
				<div className="step__row">
					<a className="step__back" href={ACCOUNTS}>
						{words.back}
					</a>
					<Progress at="bank" />
				</div>
				<h1
					className="step__title"
					tabIndex={-1}
					aria-describedby={PROGRESS_ID}
				>
					{words.title}
				</h1>
				<p className="step__lead">
					<span>{words.note}</span> <strong>{words.noteStrong}</strong>
				</p>
			</div>
			<form noValidate onSubmit={submit}>
				<fieldset className="step__form" disabled={!isHydrated} role="none">
					<Field
						id={idOf("bank")}
						label={words.bank}
						hint={bankHint()}
						error={errorOf("bank")}
					>
						{(links) => (
							<BankPicker picker={picker} links={links} isLocked={busy} />
						)}
					</Field>
					<Slow busy={isLoading(banks)} />
					<Live className="visually-hidden">
						{banks.status === "failed" && banks.why}
					</Live>
					{FIELD_NAMES.map((field) => (
						<TextField
							// Hydrated inputs begin with what the session knows.
							key={`${field} ${isHydrated}`}
							field={field}
							id={idOf(field)}
							ref={(input) => {
								inputs.current[field] = input;
							}}
							hint={lockedHint(field)}
							error={errorOf(field)}
							initial={isHydrated ? saved[field] : ""}
							isFixed={isFixed(field)}
							isLocked={busy}
							onChange={(text) => edit(field, { [field]: text })}
						/>
					))}
					<NotYou firm={firm} />
					<Live className="visually-hidden">{summary}</Live>
					<div className="actions">
						<p className="actions__lead">{words.next}</p>
						<Button kind="primary" type="submit" busy={busy}>
							{words.submit}
						</Button>
						{isHydrated && saved.bankIsAskedAgain && (
							<p className="button__hint">{words.bankAgain}</p>
						)}
						<Live className="button__hint">
							{isUnanswered && common.unanswered}
						</Live>
					</div>
					<Slow busy={busy} soon={common.sending} />
				</fieldset>
			</form>
		</section>
	);
}

function valuesOf(
	bank: ListedBank | undefined,
): Pick<Values, "bank" | "bankName"> {
	if (bank === undefined) return { bank: "", bankName: "" };
	return { bank: bank.code, bankName: bank.label };
}
