import type { ChangeEvent, ReactNode, Ref } from "react";
import { Live } from "../ui/Live";
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
	hint: string | undefined;
	/** Screen readers do not read the hint with the field: after a value, an example sounds like one. */
	isHintSilent?: boolean;
	/** A doubt about a value that can still be sent. If empty, the live region is there without text. */
	warning?: string | undefined;
	error: string | undefined;
	children: (links: FieldLinks) => ReactNode;
};

export function Field({
	id,
	label,
	hint,
	isHintSilent = false,
	warning,
	error,
	children,
}: FieldProps): ReactNode {
	const ids = {
		error: `${id}-error`,
		warning: `${id}-warning`,
		hint: `${id}-hint`,
	};
	const described = [
		error !== undefined && ids.error,
		warning && ids.warning,
		hint !== undefined && !isHintSilent && ids.hint,
	];
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
			{warning !== undefined && (
				<Live className="field__warning" id={ids.warning}>
					{warning}
				</Live>
			)}
			<p className="field__error" id={ids.error}>
				{error}
			</p>
		</div>
	);
}

type TextFieldProps = Omit<FieldProps, "label" | "children"> & {
	field: FieldName;
	ref: Ref<HTMLInputElement>;
	value: string;
	readOnly: boolean;
	onChange: (text: string) => void;
	onBlur: () => void;
};

/** One of the administrator's fields. */
export function TextField({
	field,
	ref,
	value,
	readOnly,
	onChange,
	onBlur,
	...rest
}: TextFieldProps): ReactNode {
	const { label, input, mask } = FIELDS[field];

	function change({
		target,
		nativeEvent,
	}: ChangeEvent<HTMLInputElement>): void {
		const typed = target.value;
		if (mask === undefined) {
			onChange(typed);
			return;
		}
		const masked = mask(typed);
		let caret = maskedCaret(
			typed,
			target.selectionStart ?? typed.length,
			masked,
		);
		// Forward deletion of a dot: the mask restores the dot, so the caret steps over it and the next
		// press deletes a digit.
		const deletes =
			nativeEvent instanceof InputEvent &&
			nativeEvent.inputType === "deleteContentForward";
		if (masked === value && deletes) caret += 1;
		// Set before React renders: React then finds no difference and does not move the caret.
		target.value = masked;
		target.setSelectionRange(caret, caret);
		onChange(masked);
	}

	return (
		<Field label={label} {...rest}>
			{(links) => (
				<input
					ref={ref}
					className="field__input"
					type="text"
					name={field}
					{...input}
					{...links}
					readOnly={readOnly}
					value={value}
					onChange={change}
					onBlur={onBlur}
				/>
			)}
		</Field>
	);
}
