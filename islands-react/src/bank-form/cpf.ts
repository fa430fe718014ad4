/** Masks and checks a CPF. A mask library would cost 3 kB for one fixed pattern of digits. */
import type { FieldErrorCode } from "../generated/types";

const DIGITS = 11;

/** Masks typed or pasted text as 000.000.000-00. Digits after the 11th are dropped. */
export function maskCpf(text: string): string {
	const digits = digitsOf(text).slice(0, DIGITS);
	const groups = [digits.slice(0, 3), digits.slice(3, 6), digits.slice(6, 9)];
	const number = groups.filter((group) => group !== "").join(".");
	const check = digits.slice(9);
	return check === "" ? number : `${number}-${check}`;
}

/** Maps a caret position from the typed to the masked text: it follows the same number of digits. */
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

/**
 * Returns the error of an entered CPF, or undefined if it is valid. The rule is that of
 * `domain::bank::cpf_digits`; both are tested with the same table.
 */
export function checkCpf(text: string): FieldErrorCode | undefined {
	const bare = text.replace(/[\s.-]/g, "");
	if (bare === "") return "required";
	if (!/^[0-9]{11}$/.test(bare) || /^(.)\1*$/.test(bare)) return "invalid";
	const digits = [...bare].map(Number);
	const isRight = [9, 10].every(
		(at) => checkDigit(digits.slice(0, at)) === digits[at],
	);
	return isRight ? undefined : "invalid";
}

/** Computes a check digit: weights from 2 upwards from the right, modulo 11; remainders below 2 give 0. */
function checkDigit(digits: readonly number[]): number {
	const sum = digits.reduce(
		(total, digit, at) => total + digit * (digits.length + 1 - at),
		0,
	);
	const rest = sum % 11;
	return rest < 2 ? 0 : 11 - rest;
}
