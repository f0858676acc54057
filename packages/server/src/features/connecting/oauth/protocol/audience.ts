import type { OAuthAudience } from "../../../../access/index.ts";
import { OAuthError } from "./oauth-error.ts";
import type { Parameters } from "./parameters.ts";

/** The addresses that a token can be bound to (RFC 8707). */
export const resourceOf = (audience: OAuthAudience, rootUrl: string): string =>
	audience === "mcp" ? `${rootUrl}/mcp` : `${rootUrl}/api/v1`;

/** Audience of a resource indicator; undefined for any other address. */
export function audienceOf(resource: string, rootUrl: string): OAuthAudience | undefined {
	const audiences: readonly OAuthAudience[] = ["mcp", "api"];
	return audiences.find((audience) => resourceOf(audience, rootUrl) === resource);
}

/** Refuses a resource indicator other than the approved one (RFC 8707, 2.2); one that is left out is the approved one. */
export function checkSameResource(parameters: Parameters, approved: OAuthAudience | null, rootUrl: string): void {
	const resource = parameters.get("resource");
	if (resource === undefined || (approved !== null && audienceOf(resource, rootUrl) === approved)) return;
	throw new OAuthError("invalid_request", "resource is not the one that was approved");
}
