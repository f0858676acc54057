/** An app that asks for access. */
export interface OAuthClient {
	readonly id: string;
	readonly name: string;
	readonly redirectUris: readonly string[];
}

const DEFAULT_NAME = "MCP client";
const MAX_NAME = 255;
/** Characters that end a line, turn the direction of a text, or are half of one: no name needs them. */
const MISLEADING = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\p{Bidi_Control}]/u;
/** Characters that show nothing; emoji and some scripts have them too, so that a name just loses them. */
const INVISIBLE = /[\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]/gu;

/** The name that an app gives itself, as it can be shown; undefined when it cannot. Two that look alike are alike. */
export function clientName(given: unknown): string | undefined {
	if (given === undefined || given === null) return DEFAULT_NAME;
	if (typeof given !== "string" || given.length > MAX_NAME || MISLEADING.test(given)) return undefined;
	return given.replace(INVISIBLE, "").replace(/\s+/g, " ").trim() || DEFAULT_NAME;
}

/** A list of 1 to 10 different texts; undefined for anything else. */
export function redirectUriList(given: unknown): string[] | undefined {
	if (!Array.isArray(given) || given.length < 1 || given.length > MAX_REDIRECT_URIS) return undefined;
	return given.every((item) => typeof item === "string") ? [...new Set<string>(given)] : undefined;
}

/** Addresses that an app may name. */
export const MAX_REDIRECT_URIS = 10;
