import { randomBytes, randomInt, randomUUID } from "node:crypto";

const alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const lowerAlphanumerics = "abcdefghijklmnopqrstuvwxyz0123456789";

const pick = (alphabet: string, length: number): string => {
	let text = "";
	for (let i = 0; i < length; i++) text += alphabet.charAt(randomInt(alphabet.length));
	return text;
};

/** A random UUID (version 4). */
export const uuid = (): string => randomUUID();

/** `length` letters and digits from the system's random source, every character equally likely. */
export const randomAlphanumeric = (length: number): string => pick(alphanumerics, length);

/** The same with small letters only, for identifiers that people type. */
export const randomLowerAlphanumeric = (length: number): string => pick(lowerAlphanumerics, length);

/** `bytes` random bytes as base64url: 32 bytes give 43 characters. */
export const randomToken = (bytes = 32): string => randomBytes(bytes).toString("base64url");
