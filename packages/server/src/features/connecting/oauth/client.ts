/** An app that asks for access. */
export interface OAuthClient {
	readonly id: string;
	readonly name: string;
	readonly redirectUris: readonly string[];
}

const DEFAULT_NAME = "MCP client";
const MAX_NAME = 255;
/** Control characters, and those that turn the direction of a text, could make a name look like another one. */
const MISLEADING = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/u;

/** The name that an app gives itself; undefined when it cannot be shown. */
export function clientName(given: unknown): string | undefined {
	if (given === undefined || given === null) return DEFAULT_NAME;
	if (typeof given !== "string" || given.length > MAX_NAME || MISLEADING.test(given)) return undefined;
	return given.trim() === "" ? DEFAULT_NAME : given.trim();
}

/** A list of 1 to 10 different texts; undefined for anything else. */
export function redirectUriList(given: unknown): string[] | undefined {
	if (!Array.isArray(given) || given.length < 1 || given.length > MAX_REDIRECT_URIS) return undefined;
	return given.every((item) => typeof item === "string") ? [...new Set<string>(given)] : undefined;
}

/** Addresses that an app may name. */
export const MAX_REDIRECT_URIS = 10;
