import type { OAuthAudience } from "../../../../access/index.ts";
import { audienceOf } from "../audience.ts";
import { OAuthError } from "../oauth-error.ts";
import type { Parameters } from "../parameters.ts";

/** Refuses a resource indicator other than the approved one (RFC 8707, 2.2); one that is left out is the approved one. */
export function checkSameResource(parameters: Parameters, approved: OAuthAudience | null, rootUrl: string): void {
	const resource = parameters.get("resource");
	if (resource === undefined || (approved !== null && audienceOf(resource, rootUrl) === approved)) return;
	throw new OAuthError("invalid_request", "resource is not the one that was approved");
}
