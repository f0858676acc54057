type Scope = "stats:read" | "sites:read" | "accounts:read";

/** A call of the API that works with a key of these scopes, for a shell; the key is a placeholder where there is none. */
export function firstCall(scopes: readonly Scope[], site: string | undefined, key: string): string {
	const path =
		scopes.includes("stats:read") && site !== undefined
			? `/stats/overview?site_id=${site}&period=7d`
			: scopes.includes("accounts:read") && !scopes.includes("sites:read")
				? "/users/me"
				: "/sites";
	return `curl "${location.origin}/api/v1${path}" \\\n  -H "X-API-Key: ${key}"`;
}
