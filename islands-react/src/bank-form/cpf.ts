/** The CPF as the form reads, checks and shows it. Own mask instead of a 3 kB library: one fixed pattern, digits only. */
import type { FieldErrorCode } from "../generated/types";

const DIGITS = 11;

/** Masks typed or pasted text: at most 11 digits, as 000.000.000-00. */
export function maskCpf(text: string): string {
	const digits = digitsOf(text).slice(0, DIGITS);
	const [a, b, c, check] = [
		digits.slice(0, 3),
		digits.slice(3, 6),
		digits.slice(6, 9),
		digits.slice(9),
	];
	return (
		[a, b, c].filter((group) => group !== "").join(".") +
		(check === "" ? "" : `-${check}`)
	);
}

/** Maps a caret position in the typed text to the masked text: after the same number of digits. */
export function maskedCaret(
	typed: string,
	caret: number,
	masked: string,
): number {
	const wanted = digitsOf(typed.slice(0, caret)).length;
	let at = 0;
	while (at < masked.length && digitsOf(masked.slice(0, at)).length < wanted)
		at += 1;
	return at;
}

function digitsOf(text: string): string {
	return text.replace(/[^0-9]/g, "");
}

/** The rule of `domain::bank::cpf_digits`; both are tested with the same table. */
export function checkCpf(text: string): FieldErrorCode | undefined {
	const bare = text.replace(/[\s./-]/g, "");
	if (bare === "") return "required";
	if (!/^[0-9]{11}$/.test(bare) || /^(.)\1*$/.test(bare)) return "invalid";
	const digits = [...bare].map(Number);
	const isRight = [9, 10].every(
		(at) => checkDigit(digits.slice(0, at)) === digits[at],
	);
	return isRight ? undefined : "invalid";
}

/** Weights from 2 upwards from the right, modulo 11; a remainder below 2 gives 0. */
function checkDigit(digits: readonly number[]): number {
	const sum = digits.reduce(
		(total, digit, at) => total + digit * (digits.length + 1 - at),
		0,
	);
	const rest = sum % 11;
	return rest < 2 ? 0 : 11 - rest;
}
