import type { OAuthAudience } from "../../../access/index.ts";

/** The addresses that a token can be bound to (RFC 8707). */
export const resourceOf = (audience: OAuthAudience, rootUrl: string): string =>
	audience === "mcp" ? `${rootUrl}/mcp` : `${rootUrl}/api/v1`;

/** What a resource indicator stands for; undefined for any other address. */
export function audienceOf(resource: string, rootUrl: string): OAuthAudience | undefined {
	const audiences: readonly OAuthAudience[] = ["mcp", "api"];
	return audiences.find((audience) => resourceOf(audience, rootUrl) === resource);
}
