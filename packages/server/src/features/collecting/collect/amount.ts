/** A plain decimal number: no exponent, no sign of a currency, no separator of thousands. */
const PLAIN = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/;
/** A number holds so many digits, whatever they are. */
const MAX_DIGITS = 15;
const LONGEST = MAX_DIGITS + 2;

/** Accepted forms of an amount. */
export function isAmount(value: unknown): value is number | string | boolean | null | undefined {
	return value === undefined || value === null || ["number", "string", "boolean"].includes(typeof value);
}

/**
 * An amount as it was sent, a number or its text; 0 when absent or blank, `NaN` for a boolean, and for a text that is no number or has too many
 * digits.
 */
export function readAmount(value: number | string | boolean | null | undefined): number {
	if (typeof value === "boolean") return Number.NaN;
	if (typeof value !== "string") return value ?? 0;
	const text = value.trim();
	if (text === "") return 0;
	if (text.length > LONGEST || !PLAIN.test(text)) return Number.NaN;
	return text.replace(/\D/g, "").length > MAX_DIGITS ? Number.NaN : Number(text);
}

/**
 * Currency of an amount: its own field, else the property `currency` if that is a code of three letters. In capitals;
 * empty if there is none.
 */
export function readCurrency(own: unknown, properties: Readonly<Record<string, unknown>>): string {
	return codeOf(own) || codeOf(properties.currency);
}

const codeOf = (value: unknown): string =>
	typeof value === "string" && /^\s*[a-z]{3}\s*$/i.test(value) ? value.trim().toUpperCase() : "";
