import type { Row } from "../../migrations/metadata/tables/index.ts";
import type { SharedView } from "./shared-view.ts";

/** The name of a plan; its limits are in the organizations slice. */
export type PlanTier = Row<"organizations">["plan_tier"];

/** Audience of an OAuth token: the REST API or the MCP server. */
export type OAuthAudience = NonNullable<Row<"oauth_grants">["audience"]>;

/** Scopes that an API key may carry. */
export const keyScopes = ["stats:read", "sites:read", "accounts:read"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scopes of a session, derived from the user's role. */
export type SessionScope = "read" | "write" | "admin" | "superadmin" | "billing:manage";

/** Role on one site, lowest first. */
export const siteRoles = ["viewer", "editor", "admin", "owner"] as const;
export type SiteRole = (typeof siteRoles)[number];

/** Role in an organization, lowest first. */
export const orgRoles = ["member", "admin", "owner"] as const;
export type OrgRole = (typeof orgRoles)[number];

interface Ending {
	/** When the credential ends by itself, in milliseconds since the Unix epoch; null = never. */
	readonly endsAt: number | null;
}

/** The caller, by the credential of the request. */
export type Principal =
	| { readonly kind: "anonymous" }
	| (Ending & {
			readonly kind: "session";
			readonly userId: number;
			readonly sessionId: string;
			readonly email: string;
			readonly role: "superadmin" | "user";
			readonly scopes: readonly SessionScope[];
			/** Plan of the user's organization; null = none. */
			readonly plan: PlanTier | null;
			/** The superadmin who acts as this user; null = the user. */
			readonly impersonatorId: number | null;
			/** Hash of the request of an app that is all this session may decide on until its user's address is confirmed; null = no such bounds. */
			readonly boundRequest: string | null;
			/** True when the credential came as a cookie, so that CSRF rules apply. */
			readonly viaCookie: boolean;
	  })
	| (Ending & {
			readonly kind: "key";
			readonly userId: number;
			readonly tokenId: number;
			readonly scopes: readonly KeyScope[];
			/** Plan of the owner's organization; null = none. */
			readonly plan: PlanTier | null;
			/** Site slugs the key is restricted to; null = every site its owner reaches. */
			readonly siteIds: readonly string[] | null;
	  })
	| (Ending & {
			readonly kind: "oauth";
			/** User who approved the app. */
			readonly userId: number;
			readonly grantId: string;
			readonly clientId: string;
			/** The approved site. */
			readonly siteId: string;
			/** The same as a list. */
			readonly siteIds: readonly [string];
			/** As approved, e.g. `analytics:read`. */
			readonly scopes: readonly string[];
			/** Plan of the user's organization; null = none. */
			readonly plan: PlanTier | null;
	  })
	| (Ending & {
			readonly kind: "share";
			/** The share link, for any reader of it. */
			readonly linkId: string;
			/** The one site that it shows. */
			readonly siteId: string;
			/** The same as a list. */
			readonly siteIds: readonly [string];
			readonly view: SharedView;
			/** Plan of the site's organization. */
			readonly plan: PlanTier;
	  });

/** A principal that showed a credential: a caller, or somebody who reads by a shared link. */
export type Reader = Exclude<Principal, { kind: "anonymous" }>;

/** A principal behind which stands a user. */
export type Caller = Exclude<Reader, { kind: "share" }>;

/** The session of somebody in front of a page. */
export type BrowserSession = Extract<Principal, { kind: "session" }>;

/** The session that a cookie shows; undefined for every other credential, for no page is opened with one. */
export const browserSession = (principal: Principal): BrowserSession | undefined =>
	principal.kind === "session" && principal.viaCookie ? principal : undefined;
