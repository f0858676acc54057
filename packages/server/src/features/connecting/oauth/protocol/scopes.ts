/** Scopes for apps. */
export const oauthScopes = ["analytics:read", "offline_access"] as const;
export type OAuthScope = (typeof oauthScopes)[number];

/** The only scope that opens anything: the approved site, for reading. */
export const READING: OAuthScope = "analytics:read";
/** Gives a refresh token beside the access token. */
export const OFFLINE: OAuthScope = "offline_access";

/** Requested scopes in canonical order, always including the reading one. Undefined if one is unknown. */
export function parseScopes(text: string | undefined): OAuthScope[] | undefined {
	const asked = (text ?? "").split(" ").filter((scope) => scope !== "");
	const known: readonly string[] = oauthScopes;
	if (!asked.every((scope) => known.includes(scope))) return undefined;
	return oauthScopes.filter((scope) => scope === READING || asked.includes(scope));
}

/** Scopes as they are stored and sent. */
export const scopeText = (scopes: readonly OAuthScope[]): string => scopes.join(" ");

/** Stored scopes. */
export const storedScopes = (text: string): OAuthScope[] => parseScopes(text) ?? [READING];
