import { OAuthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters.ts";

/** A parameter that a request cannot do without; throws `invalid_request`. */
export function required(parameters: Parameters, name: string): string {
	const value = parameters.get(name);
	if (value === undefined) throw new OAuthError("invalid_request", `${name} must be given once`);
	return value;
}
