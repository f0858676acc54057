/** People of the access matrix; all but the last three belong to the organization of the site. */
export const people = [
	/** Belongs to the organization, has no role on the site. */
	"member",
	/** Members with a role on the site itself. */
	"site viewer",
	"site editor",
	"site owner",
	/** Roles in the organization, which count on all of its sites. */
	"org admin",
	"org owner",
	"owner of another organization",
	/** A superadmin who acts as the org owner. */
	"impersonating superadmin",
	"superadmin",
] as const;
export type Person = (typeof people)[number];

/** Credentials that no guarded route accepts, with its answer. */
export const deadCredentials = {
	"no credential": [401, "unauthorized"],
	"malformed bearer": [401, "token_invalid"],
	"key sent as bearer": [401, "token_invalid"],
	"expired JWT": [401, "token_expired"],
	"JWT for another audience": [401, "token_invalid"],
	"JWT of a revoked session": [401, "unauthorized"],
	"2FA challenge as bearer": [403, "two_factor_required"],
	"unknown key": [401, "unauthorized"],
	"revoked key": [401, "unauthorized"],
	"expired key": [401, "token_expired"],
	"unknown OAuth token": [401, "token_invalid"],
	"expired OAuth token": [401, "token_expired"],
	"OAuth token of a revoked grant": [401, "token_invalid"],
	"OAuth refresh token": [401, "token_invalid"],
} as const satisfies Record<string, Answer>;

/** Keys of the org owner. Those of the first two open every site of theirs, the third only another site. */
export const keys = ["key with the scope", "key without the scope", "key of another site"] as const;
export type Key = (typeof keys)[number];

/** Access tokens of an app that the org owner let read the site, and of one for another site of theirs. */
export const apps = ["app", "app of another site", "app for the MCP server"] as const;
export type AppToken = (typeof apps)[number];

export type Answer = readonly [status: number, code?: string];
export type KeyScope = "stats:read" | "sites:read" | "accounts:read";

/** Whom a route lets in. */
export interface AccessClass {
	readonly people: readonly Person[];
	/** Scopes any of which opens the route to keys; empty = not to keys. */
	readonly keyScopes: readonly KeyScope[];
	/** Whether apps get in; none do unless it says so. */
	readonly apps?: true;
	/** What the route is about, which decides what strangers to it are told. */
	readonly about: "site" | "organization" | "caller";
	/** Says `missing_credentials` and `insufficient_scope` in place of `unauthorized` and `forbidden`. */
	readonly namesRefusals?: true;
}

const insiders = people.filter((person) => person !== "owner of another organization");
const from = (...ranks: readonly (readonly Person[])[]): readonly Person[] => [
	...ranks.flat(),
	"impersonating superadmin",
	"superadmin",
];
const siteOwners: readonly Person[] = ["site owner", "org owner"];
const caller = { about: "caller", keyScopes: [] } as const;
const site = { about: "site", keyScopes: [] } as const;
const organization = { about: "organization", keyScopes: [] } as const;
const themselves = people.filter((person) => person !== "impersonating superadmin");
const readers = from(["site viewer", "site editor", "org admin"], siteOwners);

/** Whom the classes of the table let in; nobody is let in unless named here. */
export const accessClasses = {
	everyone: "everyone",
	"signed in": { ...caller, people },
	"owner of an organization, not impersonating": {
		...caller,
		people: ["org owner", "owner of another organization", "superadmin"],
	},
	"signed in, not impersonating": { ...caller, people: themselves },
	superadmin: { ...caller, people: ["superadmin"] },
	"signed in, or key stats:read": { ...caller, people, keyScopes: ["stats:read"] },
	"signed in, or key sites:read, or app": { ...caller, people, keyScopes: ["sites:read"], apps: true },
	"signed in, or key accounts:read": { ...caller, people, keyScopes: ["accounts:read"] },
	"signed in, not impersonating, or key accounts:read": {
		...caller,
		people: themselves,
		keyScopes: ["accounts:read"],
	},
	"site viewer": { ...site, people: readers },
	"site viewer, or key stats:read, or app": { ...site, people: readers, keyScopes: ["stats:read"], apps: true },
	"site viewer, or key stats:read": { ...site, people: readers, keyScopes: ["stats:read"] },
	"site viewer, or key accounts:read": { ...site, people: readers, keyScopes: ["accounts:read"] },
	"site viewer, or key stats:read, refusals named": {
		...site,
		people: readers,
		keyScopes: ["stats:read"],
		namesRefusals: true,
	},
	"site viewer, or key sites:read, or app": { ...site, people: readers, keyScopes: ["sites:read"], apps: true },
	"site viewer, or key sites:read or stats:read, or app": {
		...site,
		people: readers,
		keyScopes: ["sites:read", "stats:read"],
		apps: true,
	},
	"site editor": { ...site, people: from(["site editor", "org admin"], siteOwners) },
	"site admin": { ...site, people: from(["org admin"], siteOwners) },
	"site owner": { ...site, people: from(siteOwners) },
	"admin of the site's organization": { ...site, people: from(["org admin", "org owner"]) },
	"organization member": { ...organization, people: insiders },
	"organization member, or key accounts:read": { ...organization, people: insiders, keyScopes: ["accounts:read"] },
	"organization admin": { ...organization, people: from(["org admin", "org owner"]) },
	/** The member whom the path names is the one without a role on the site. */
	"organization admin, or the member concerned": {
		...organization,
		people: from(["member", "org admin", "org owner"]),
	},
	"organization owner": { ...organization, people: from(["org owner"]) },
	"organization owner, not impersonating": { ...organization, people: ["org owner", "superadmin"] },
} as const satisfies Record<string, AccessClass | "everyone">;

export type AccessName = keyof typeof accessClasses;

/**
 * Every route of the API and whom it lets in; `/api/v1` is left out. No superadmin who impersonates may delete anything,
 * whatever the class says: see `deletableWhileImpersonating`.
 */
export const accessTable: Readonly<Record<AccessName, readonly string[]>> = {
	"site viewer, or key stats:read": [
		"POST /exports",
		"POST /exports/estimate",
		"POST /exports/stream",
		"GET /exports",
		"GET /exports/{job_id}",
		"DELETE /exports/{job_id}",
	],
	everyone: [
		"GET /exports/download/{download_token}",
		"GET /livez",
		"GET /readyz",
		"GET /health",
		"GET /metrics",
		"GET /t.js",
		"HEAD /t.js",
		"GET /openapi.json",
		"GET /config",
		"GET /billing/plans",
		"POST /auth/register",
		"POST /auth/token",
		"POST /auth/refresh",
		"POST /auth/forgot-password",
		"POST /auth/reset-password",
		"POST /2fa/verify-login",
		"POST /email/verify",
		"POST /email/resend-verification",
		"GET /invitations/{token}",
		"POST /invitations/accept",
		"POST /provision",
		"POST /provision/claim",
		"POST /provision/claim/resend",
		"GET /.well-known/oauth-authorization-server",
		"GET /.well-known/oauth-protected-resource",
		"GET /.well-known/oauth-protected-resource/mcp",
		"POST /oauth/register",
		"GET /oauth/authorize",
		"POST /oauth/token",
		"POST /oauth/revoke",
		"GET /oauth/consent/{request_id}",
		"POST /oauth/onboarding",
		"POST /share/{token}/session",
	],
	"signed in": [
		"POST /auth/logout",
		"GET /auth/impersonation-status",
		"DELETE /admin/impersonate-user",
		"GET /email/verification-status",
		"PATCH /users/me",
		"POST /sites",
		"POST /organizations",
		// Refused to all but admins of an organization after the body was read.
		"POST /migration/test-connection",
		"POST /migration/jobs/{job_id}/cancel",
		"POST /invitations/accept-existing",
		"GET /audit/logs",
		"GET /audit/actions",
		"GET /utils/my-ip",
		"GET /users/me/preferences",
	],
	"signed in, not impersonating": [
		"GET /auth/sessions",
		"DELETE /auth/sessions",
		"DELETE /auth/sessions/{session_id}",
		"POST /users/me/password",
		"GET /users/me/email",
		"POST /users/me/email",
		"DELETE /users/me/email",
		"DELETE /users/me",
		"PATCH /users/me/preferences",
		"GET /2fa/status",
		"POST /2fa/setup",
		"POST /2fa/verify",
		"POST /2fa/setup/verify",
		"POST /2fa/setup/cancel",
		"GET /2fa/backup-codes",
		"POST /2fa/backup-codes/regenerate",
		"POST /2fa/disable",
		"POST /oauth/consent/{request_id}/decision",
		"GET /oauth/connections",
		"DELETE /oauth/connections/{grant_id}",
		"POST /api-tokens",
		"DELETE /api-tokens/{token_id}",
	],
	"organization owner, not impersonating": [
		"GET /billing/overview",
		"GET /billing/subscription",
		"GET /billing/subscription/history",
		"GET /billing/invoices",
		"GET /billing/usage/current",
		"GET /billing/usage/history",
		"GET /billing/overage-status",
		"GET /billing/accounting-email",
	],
	// What is sent is looked at before the organization that it is about.
	"owner of an organization, not impersonating": ["PUT /billing/accounting-email"],
	superadmin: [
		"POST /admin/impersonate-user",
		"GET /users",
		"POST /users",
		"GET /users/{user_id}",
		"PATCH /users/{user_id}",
		"DELETE /users/{user_id}",
		"DELETE /admin/users/{user_id}",
		"PATCH /admin/organizations/{slug}/plan",
		"GET /admin/system",
		"GET /admin/jobs",
		"POST /admin/jobs/{id}/retry",
		"GET /stats/aggregate/overview",
		"GET /stats/aggregate/devices",
		"GET /stats/aggregate/pages",
		"GET /stats/aggregate/mediums",
		"GET /stats/aggregate/sources",
		"GET /stats/aggregate/geo/countries",
		"GET /stats/aggregate/landing-pages",
		"GET /stats/aggregate/conversions",
	],
	"signed in, or key stats:read": ["POST /batch", "POST /batch/validate"],
	"signed in, or key sites:read, or app": ["GET /sites", "GET /sites/config/timezones"],
	"signed in, or key accounts:read": [
		"GET /auth/me",
		"GET /users/me",
		"GET /organizations",
		"GET /webhooks/event-types",
	],
	"signed in, not impersonating, or key accounts:read": [
		"GET /api-tokens",
		"GET /api-tokens/scopes",
		"GET /api-tokens/{token_id}",
	],
	"site viewer": [
		"GET /alerts/rules",
		"GET /alerts/rules/{id}",
		"GET /alerts/history",
		"GET /alerts/stats",
		"GET /lens/insights",
		"GET /lens/insights/summary",
		"GET /lens/insights/grouped",
		"GET /lens/insights/{id}",
		"GET /lens/settings",
		"GET /lens/reports",
		"GET /lens/reports/{id}",
		"GET /lens/reports/latest/{type}",
		"GET /segments",
		"GET /segments/{id}",
		"GET /annotations",
		"GET /annotations/{id}",
		"GET /saved-views",
		"GET /saved-views/{id}",
		// What is shared takes an editor, and what is somebody else's an admin, which the matrix does not try.
		"POST /saved-views",
		"PATCH /saved-views/{id}",
		"DELETE /saved-views/{id}",
		"GET /passthrough-referrers",
		"GET /passthrough-referrers/{referrer_id}",
		"GET /referrer-mappings",
		"GET /referrer-mappings/{mapping_id}",
		"GET /bot-stats/overview",
		"GET /bot-stats/suspicious-sessions",
		"GET /blocklist-ips",
		"GET /blocklist-ips/{entry_id}",
		"GET /imports",
		"GET /imports/{import_id}",
	],
	"site viewer, or key stats:read, or app": [
		"GET /stats/overview",
		"GET /stats/pages",
		"GET /stats/pages/top",
		"GET /stats/pages/content-groups",
		"GET /stats/mediums",
		"GET /stats/sources",
		"GET /stats/sources/top",
		"GET /stats/campaigns",
		"GET /stats/campaigns/top",
		"GET /stats/terms",
		"GET /stats/terms/top",
		"GET /stats/contents",
		"GET /stats/contents/top",
		"GET /stats/referrers",
		"GET /stats/referrers/top",
		"GET /stats/geo/countries",
		"GET /stats/landing-pages",
		"GET /stats/landing-pages/top",
		"GET /stats/landing-pages/by-content-group",
		"GET /stats/exit-pages",
		"GET /stats/channels",
		"GET /stats/top-channels",
		"GET /stats/devices",
		"GET /stats/devices/types",
		"GET /stats/browsers",
		"GET /stats/operating-systems",
		"GET /stats/conversions",
		"GET /stats/conversions/raw",
		"GET /stats/conversion-items/raw",
		"GET /stats/microconversions",
		"GET /stats/microconversions/raw",
		"GET /stats/microconversions/{type}",
		"GET /stats/microconversions-types",
		"GET /stats/funnel",
		"GET /stats/live",
		"GET /stats/live/stream",
		"POST /stats/funnel",
		"GET /stats/properties/keys",
		"GET /stats/properties/values",
		"GET /stats/properties/breakdown",
	],
	"site viewer, or key accounts:read": [
		"GET /webhooks",
		"GET /webhooks/{endpoint_id}",
		"GET /webhooks/{endpoint_id}/stats",
		"GET /webhooks/{endpoint_id}/deliveries",
		"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}",
		"GET /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs",
	],
	"site viewer, or key stats:read, refusals named": [
		"POST /stats/explain",
		"POST /stats/query",
		"POST /stats/query/export",
	],
	"site viewer, or key sites:read, or app": [
		"GET /sites/{id}",
		"GET /sites/{id}/domains",
		"GET /sites/{id}/utm-mappings",
		"GET /sites/{id}/pixel",
		"GET /sites/{id}/pixel/status",
		"GET /sites/{id}/pixel/rejections",
		"GET /sites/{id}/users",
		"GET /channel-groups",
		"GET /channel-groups/export",
		"GET /channel-groups/{rule_id}",
		"POST /channel-groups/test",
	],
	"site viewer, or key sites:read or stats:read, or app": ["GET /channel-groups/stats/channels"],
	"site editor": [
		"POST /alerts/rules",
		"PATCH /alerts/rules/{id}",
		"DELETE /alerts/rules/{id}",
		"POST /alerts/rules/{id}/test",
		"POST /sites/{id}/pixel/check",
		"PATCH /alerts/history/{alert_id}",
		"PATCH /lens/insights/{id}/read",
		"PATCH /lens/insights/{id}/unread",
		"PATCH /lens/insights/{id}/dismiss",
		"POST /lens/insights/{id}/feedback",
		"PATCH /lens/settings",
		"POST /lens/reports/generate",
		"GET /mail-reports",
		"POST /mail-reports",
		"GET /mail-reports/{id}",
		"PATCH /mail-reports/{id}",
		"DELETE /mail-reports/{id}",
		"POST /mail-reports/{id}/test",
		"POST /sites/{id}/utm-mappings",
		"PATCH /sites/{id}/utm-mappings",
		"PATCH /sites/{id}/utm-mappings/{mapping_id}",
		"DELETE /sites/{id}/utm-mappings",
		"DELETE /sites/{id}/utm-mappings/{mapping_id}",
		"POST /segments",
		"PUT /segments/{id}",
		"PATCH /segments/{id}",
		"DELETE /segments/{id}",
		"POST /segments/{id}/duplicate",
		"POST /annotations",
		"PATCH /annotations/{id}",
		"DELETE /annotations/{id}",
		"POST /channel-groups",
		"POST /channel-groups/import",
		"PATCH /channel-groups/{rule_id}",
		"DELETE /channel-groups/{rule_id}",
		"POST /passthrough-referrers",
		"PATCH /passthrough-referrers/{referrer_id}",
		"DELETE /passthrough-referrers/{referrer_id}",
		"POST /referrer-mappings",
		"PATCH /referrer-mappings/{mapping_id}",
		"DELETE /referrer-mappings/{mapping_id}",
		"POST /webhooks",
		"PATCH /webhooks/{endpoint_id}",
		"DELETE /webhooks/{endpoint_id}",
		"POST /webhooks/{endpoint_id}/test",
		"POST /webhooks/{endpoint_id}/rotate-secret",
		"POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay",
		"POST /webhooks/bulk/replay",
		"POST /blocklist-ips",
		"PATCH /blocklist-ips/{entry_id}",
		"DELETE /blocklist-ips/{entry_id}",
	],
	"site admin": [
		"POST /imports",
		"POST /imports/{import_id}/run",
		"POST /imports/{import_id}/undo",
		"DELETE /imports/{import_id}",
		// Whoever is no admin of the organization is refused after the body was read.
		"POST /migration/accounts/{id}/jobs",
		"PATCH /sites/{id}",
		"GET /sites/{id}/share-links",
		"POST /sites/{id}/share-links",
		"PATCH /sites/{id}/share-links/{link_id}",
		"POST /sites/{id}/share-links/{link_id}/renew",
		"DELETE /sites/{id}/share-links/{link_id}",
		"GET /sites/{id}/data-deletions",
		"GET /sites/{id}/data-deletions/{deletion_id}",
		"POST /sites/{id}/domains",
		"DELETE /sites/{id}/domains",
		"DELETE /sites/{id}/domains/{domain}",
		"POST /sites/{id}/users",
		"PATCH /sites/{id}/users/{user_id}",
		"DELETE /sites/{id}/users/{user_id}",
		"GET /ip-allowlist/settings",
		"PUT /ip-allowlist/settings",
		"GET /ip-allowlist/patterns",
		"POST /ip-allowlist/patterns",
		"GET /ip-allowlist/patterns/{id}",
		"PATCH /ip-allowlist/patterns/{id}",
		"DELETE /ip-allowlist/patterns/{id}",
		"POST /ip-allowlist/patterns/bulk",
		"POST /ip-allowlist/patterns/bulk-delete",
		"GET /ip-allowlist/export",
		"POST /ip-allowlist/import",
		"POST /ip-allowlist/check",
		"GET /ip-allowlist/check-current",
		"GET /ip-allowlist/audit",
	],
	"site owner": ["DELETE /sites/{id}", "DELETE /sites/{id}/data"],
	"admin of the site's organization": ["GET /migration/accounts/{id}/jobs"],
	"organization member": ["GET /organizations/{slug}/members"],
	"organization member, or key accounts:read": ["GET /organizations/{slug}", "GET /organizations/{slug}/sites"],
	"organization admin, or the member concerned": ["GET /organizations/{slug}/members/{user_id}/sites"],
	"organization admin": [
		"GET /migration/jobs/{job_id}",
		"GET /migration/jobs/{job_id}/progress",
		"POST /organizations/{slug}/members",
		"PATCH /organizations/{slug}/members/{user_id}",
		// Members may delete their own membership, which the matrix does not try.
		"DELETE /organizations/{slug}/members/{user_id}",
		"POST /organizations/{slug}/members/{user_id}/sites",
		"DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}",
		"GET /organizations/{slug}/invitations",
		"POST /organizations/{slug}/invitations",
		"POST /organizations/{slug}/invitations/{id}/resend",
		"DELETE /organizations/{slug}/invitations/{id}",
	],
	"organization owner": ["PATCH /organizations/{slug}", "DELETE /organizations/{slug}"],
};

/** The only route with this method that an impersonating superadmin may call: it ends the impersonation. */
export const deletableWhileImpersonating: ReadonlySet<string> = new Set(["DELETE /admin/impersonate-user"]);

/** Deletions that are not called so. */
export const deletingPosts: ReadonlySet<string> = new Set(["POST /ip-allowlist/patterns/bulk-delete"]);

/**
 * What a route answers to those whom it lets in, where the usual does not hold. The matrix sends nothing that changes
 * anything: a list in the place of the body (422), and ids that nothing has (404); what only reads answers 200.
 */
export const usualAnswers: Readonly<Record<string, Answer>> = {
	"POST /auth/refresh": [401, "unauthorized"],
	"GET /invitations/{token}": [404, "not_found"],
	"GET /2fa/backup-codes": [404, "not_found"],
	"GET /api-tokens/{token_id}": [404, "not_found"],
	"DELETE /users/{user_id}": [404, "user_not_found"],
	"DELETE /organizations/{slug}/members/{user_id}": [404, "user_not_found"],
	"DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}": [404, "user_not_found"],
	"DELETE /sites/{id}/users/{user_id}": [404, "user_not_found"],
	"POST /oauth/register": [400, "invalid_request"],
	"GET /oauth/authorize": [400, "invalid_client"],
	"POST /oauth/token": [400, "invalid_request"],
	"POST /oauth/revoke": [400, "invalid_request"],
	"GET /oauth/consent/{request_id}": [404, "not_found"],
	// It asks for a key of its own, in the header X-Provision-Key.
	"POST /provision": [401, "unauthorized"],
	"DELETE /sites/{id}": [200],
	// Numbers, unlike the ids of other jobs.
	"POST /migration/jobs/{job_id}/cancel": [422, "validation_error"],
	// Their ids are UUIDs, and what is sent is none.
	"PATCH /lens/insights/{id}/read": [422, "validation_error"],
	"PATCH /lens/insights/{id}/unread": [422, "validation_error"],
	"PATCH /lens/insights/{id}/dismiss": [422, "validation_error"],
	"POST /2fa/setup/cancel": [200],
	"POST /auth/logout": [200],
	"DELETE /auth/sessions": [200],
	// There is none to end.
	"DELETE /admin/impersonate-user": [409, "conflict"],
};
