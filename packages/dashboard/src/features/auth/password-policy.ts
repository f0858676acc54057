/** A rule of passwords that can be told while one types; the list of common ones is the server's alone. */
export type PasswordRule = "length" | "local" | "repeats";

const localPart = (email: string): string => email.slice(0, Math.max(0, email.lastIndexOf("@"))).toLowerCase();

/** Which rules a password keeps, as the API judges them. */
export function keptRules(password: string, email: string): Readonly<Record<PasswordRule, boolean>> {
	const trimmed = password.trim();
	const length = [...trimmed].length;
	const local = localPart(email);
	return {
		length: length >= 12 && length <= 128,
		local: length > 0 && (local.length < 4 || !trimmed.toLowerCase().includes(local)),
		repeats: new Set(trimmed).size > 1,
	};
}
