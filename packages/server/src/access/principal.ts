import type { Row } from "../../migrations/metadata/tables/index.ts";
import { ServiceError } from "../platform/errors/service-error.ts";
import type { SharedView } from "./shared-view.ts";

/** The name of a plan; its limits are in the organizations slice. */
export type PlanTier = Row<"organizations">["plan_tier"];

/** Audience of an OAuth token: the REST API or the MCP server. */
export type OAuthAudience = NonNullable<Row<"oauth_grants">["audience"]>;

export const keyScopes = ["stats:read", "sites:read", "accounts:read"] as const;
export type KeyScope = (typeof keyScopes)[number];

/** Scopes of a session, derived from the user's role. */
type SessionScope = "read" | "write" | "admin" | "superadmin" | "billing:manage";

/** Role on one site, lowest first. */
export const siteRoles = ["viewer", "editor", "admin", "owner"] as const;
export type SiteRole = (typeof siteRoles)[number];

/** Role in an organization, lowest first. */
export const orgRoles = ["member", "admin", "owner"] as const;
export type OrgRole = (typeof orgRoles)[number];

interface Credential {
	/** Plan of the organization of the user or, for a shared link, of the site; null = none. */
	readonly plan: PlanTier | null;
	/** When the credential ends by itself, in milliseconds since the Unix epoch; null = never. */
	readonly endsAt: number | null;
}

/** The caller, by the credential of the request. */
export type Principal =
	| { readonly kind: "anonymous" }
	| (Credential & {
			readonly kind: "session";
			readonly userId: number;
			readonly sessionId: string;
			readonly email: string;
			readonly role: "superadmin" | "user";
			readonly scopes: readonly SessionScope[];
			/** The superadmin who acts as this user; null = the user. */
			readonly impersonatorId: number | null;
			/** Hash of the request of an app that is all this session may decide on until its user's address is confirmed; null = no such bounds. */
			readonly boundRequest: string | null;
			/** True when the credential came as a cookie, so that CSRF rules apply. */
			readonly viaCookie: boolean;
	  })
	| (Credential & {
			readonly kind: "key";
			readonly userId: number;
			readonly tokenId: number;
			readonly scopes: readonly KeyScope[];
			/** Site slugs the key is restricted to; null = every site its owner reaches. */
			readonly siteIds: readonly string[] | null;
	  })
	| (Credential & {
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
	  })
	| (Credential & {
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

export type BrowserSession = Extract<Principal, { kind: "session" }>;

/** The session behind a request to a route whose guard is of kind `session`. */
export function sessionOf({ caller }: { readonly caller: Caller }): BrowserSession {
	if (caller.kind !== "session") throw new ServiceError("forbidden");
	return caller;
}

/** The session that a cookie shows; undefined for every other credential, for no page is opened with one. */
export const browserSession = (principal: Principal): BrowserSession | undefined =>
	principal.kind === "session" && principal.viaCookie ? principal : undefined;

interface Standing {
	readonly userRole: "superadmin" | "user";
	readonly orgRole: OrgRole | null;
	readonly siteRole: SiteRole | null;
}

const rank = (role: SiteRole): number => siteRoles.indexOf(role);

/** True when `role` may do what `least` may. */
export const roleReaches = (role: SiteRole, least: SiteRole): boolean => rank(role) >= rank(least);

/** The same of roles in an organization. */
export const orgRoleReaches = (role: OrgRole, least: OrgRole): boolean =>
	orgRoles.indexOf(role) >= orgRoles.indexOf(least);

/** The refusal of somebody whose role does not reach this one. */
export const roleRequired = (role: SiteRole | OrgRole) => new ServiceError("forbidden", `Required role: ${role}`);

/** The role that counts on the site: the highest of those held; undefined = the site is out of reach. */
export function effectiveRole(standing: Standing): SiteRole | undefined {
	if (standing.userRole === "superadmin") return "owner";
	const held: SiteRole[] = [];
	if (standing.orgRole === "owner" || standing.orgRole === "admin") held.push(standing.orgRole);
	if (standing.siteRole !== null) held.push(standing.siteRole);
	return held.sort((a, b) => rank(b) - rank(a))[0];
}

/** Scopes of a session; they follow from the user's role and cannot be asked for. */
export function sessionScopes(role: "superadmin" | "user", ownsOrganization: boolean): SessionScope[] {
	if (role === "superadmin") return ["read", "write", "admin", "superadmin", "billing:manage"];
	return ownsOrganization ? ["read", "write", "billing:manage"] : ["read", "write"];
}
