import { OAuthError } from "./oauth-error.ts";

/** The parameters of a protocol request, each as often as it was sent. */
export interface Parameters {
	/** The value of one that was sent once and is not empty (RFC 6749, 3.1: an empty one counts as left out). */
	get(name: string): string | undefined;
	/** True when it was sent more than once, which RFC 6749, 3.1 forbids. */
	isRepeated(name: string): boolean;
	/** Names of those that were sent more than once. */
	readonly repeated: readonly string[];
}

/** Reads a query string or a form as it is, without the changes that other routes make to theirs. */
export function readParameters(text: string): Parameters {
	const all = new URLSearchParams(text);
	const names = [...new Set(all.keys())];
	const isRepeated = (name: string) => all.getAll(name).length > 1;
	return {
		get: (name) => (isRepeated(name) ? undefined : all.get(name) || undefined),
		isRepeated,
		repeated: names.filter(isRepeated),
	};
}

/** A parameter that a request cannot do without; throws `invalid_request`. */
export function required(parameters: Parameters, name: string): string {
	const value = parameters.get(name);
	if (value === undefined) throw new OAuthError("invalid_request", `${name} must be given once`);
	return value;
}
