/** Scopes that an API key may carry. */
export const keyScopes = ["stats:read", "sites:read", "accounts:read"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scopes of a session, derived from the user's role. */
export type SessionScope = "read" | "write" | "admin" | "superadmin" | "billing:manage";

/** Role on one site, lowest first. */
export const siteRoles = ["viewer", "editor", "admin", "owner"] as const;
export type SiteRole = (typeof siteRoles)[number];

/** Who is asking, as the credential of the request shows. */
export type Principal =
	| { readonly kind: "anonymous" }
	| {
			readonly kind: "session";
			readonly userId: number;
			readonly sessionId: string;
			readonly email: string;
			readonly role: "superadmin" | "user";
			readonly scopes: readonly SessionScope[];
			/** True when the credential came as a cookie, so that CSRF rules apply. */
			readonly viaCookie: boolean;
	  }
	| {
			readonly kind: "key";
			readonly userId: number;
			readonly tokenId: number;
			readonly scopes: readonly KeyScope[];
			/** Site slugs the key is restricted to; null = every site its owner reaches. */
			readonly siteIds: readonly string[] | null;
	  };

/** A principal that showed a credential. */
export type Caller = Exclude<Principal, { kind: "anonymous" }>;
