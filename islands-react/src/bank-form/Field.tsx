import type {
	ChangeEvent,
	CompositionEvent,
	ReactNode,
	RefCallback,
} from "react";
import { maskedCaret } from "./cpf";
import { FIELDS, type FieldName } from "./fields";

export type FieldLinks = {
	id: string;
	"aria-invalid": true | undefined;
	"aria-describedby": string | undefined;
};

type FieldProps = {
	id: string;
	label: string;
	/** What is known about the value. If empty, its place is reserved. */
	hint: string | undefined;
	error: string | undefined;
	children: (links: FieldLinks) => ReactNode;
};

export function Field({
	id,
	label,
	hint,
	error,
	children,
}: FieldProps): ReactNode {
	const ids = { error: `${id}-error`, hint: `${id}-hint` };
	const described = [error !== undefined && ids.error, hint && ids.hint];
	const links: FieldLinks = {
		id,
		"aria-invalid": error !== undefined || undefined,
		"aria-describedby": described.filter(Boolean).join(" ") || undefined,
	};
	return (
		<div className="field">
			<label className="field__label" htmlFor={id}>
				{label}
			</label>
			{children(links)}
			{hint !== undefined && (
				<p className="field__hint" id={ids.hint}>
					{hint}
				</p>
			)}
			<p className="field__error" id={ids.error}>
				{error}
			</p>
		</div>
	);
}

/** The element of a field: one that cannot be edited wraps its text. */
export type FieldInput = HTMLInputElement | HTMLTextAreaElement;

type TextFieldProps = Omit<FieldProps, "label" | "children"> & {
	field: FieldName;
	ref: RefCallback<FieldInput>;
	/** The value until the person edits the input, which then holds it. */
	initial: string;
	/** The person can never edit it. */
	isFixed: boolean;
	/** What it shows is being sent. */
	isLocked: boolean;
	onChange: (text: string) => void;
};

/** One of the administrator's fields. */
export function TextField({
	field,
	ref,
	initial,
	isFixed,
	isLocked,
	onChange,
	...rest
}: TextFieldProps): ReactNode {
	const { label, input, mask } = FIELDS[field];

	function change({
		target,
		nativeEvent,
	}: ChangeEvent<HTMLInputElement>): void {
		const { isComposing, inputType } = nativeEvent as Partial<InputEvent>;
		// Another value would end the composition, and the keyboard would insert its text again.
		if (!isComposing) format(target, inputType);
		onChange(target.value);
	}

	function endComposition({
		currentTarget,
	}: CompositionEvent<HTMLInputElement>): void {
		format(currentTarget);
		onChange(currentTarget.value);
	}

	function format(target: HTMLInputElement, inputType?: string): void {
		if (mask === undefined) return;
		const typed = target.value;
		const masked = mask(typed);
		let caret = maskedCaret(
			typed,
			target.selectionStart ?? typed.length,
			masked,
		);
		// Forward deletion of a dot: the mask restores the dot, so the caret steps over it and the next
		// press deletes a digit.
		const isRestored = masked.length > typed.length;
		if (isRestored && inputType === "deleteContentForward") caret += 1;
		target.value = masked;
		target.setSelectionRange(caret, caret);
	}

	return (
		<Field label={label} {...rest}>
			{(links) =>
				isFixed ? (
					<textarea
						ref={ref}
						className="field__input field__input--fixed"
						name={field}
						rows={1}
						inputMode={input.inputMode}
						{...links}
						readOnly
						defaultValue={initial}
					/>
				) : (
					<input
						ref={ref}
						className="field__input"
						type="text"
						name={field}
						{...input}
						{...links}
						readOnly={isLocked}
						aria-disabled={isLocked || undefined}
						defaultValue={initial}
						onChange={change}
						onCompositionEnd={endComposition}
					/>
				)
			}
		</Field>
	);
}
