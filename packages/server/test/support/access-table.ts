import assert from "node:assert/strict";

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
export const keyScopes = ["stats:read", "sites:read", "accounts:read"] as const;
export type KeyScope = (typeof keyScopes)[number];

export interface AccessClass {
	readonly people: readonly Person[];
	/** Scopes any of which opens the route to keys; empty = not to keys. */
	readonly keyScopes: readonly KeyScope[];
	readonly admitsApps: boolean;
	/** Subject of the route, which decides the answer to strangers. */
	readonly about: "site" | "organization" | "caller";
	/** Says `missing_credentials` and `insufficient_scope` in place of `unauthorized` and `forbidden`. */
	readonly namesRefusals: boolean;
}

const insiders = people.filter((person) => person !== "owner of another organization");
const from = (...ranks: readonly (readonly Person[])[]): readonly Person[] => [
	...ranks.flat(),
	"impersonating superadmin",
	"superadmin",
];
const siteOwners: readonly Person[] = ["site owner", "org owner"];
const strangers: readonly Person[] = ["owner of another organization"];

const bases: Readonly<Record<string, Pick<AccessClass, "people" | "about">>> = {
	"signed in": { about: "caller", people },
	"admin of some organization": { about: "caller", people: from(["org admin", "org owner"], strangers) },
	"owner of an organization": { about: "caller", people: from(["org owner"], strangers) },
	superadmin: { about: "caller", people: ["superadmin"] },
	"site viewer": { about: "site", people: from(["site viewer", "site editor", "org admin"], siteOwners) },
	"site editor": { about: "site", people: from(["site editor", "org admin"], siteOwners) },
	"site admin": { about: "site", people: from(["org admin"], siteOwners) },
	"site owner": { about: "site", people: from(siteOwners) },
	"admin of the site's organization": { about: "site", people: from(["org admin", "org owner"]) },
	"organization member": { about: "organization", people: insiders },
	"organization admin": { about: "organization", people: from(["org admin", "org owner"]) },
	/** The member whom the path names is the one without a role on the site. */
	"organization admin or the member concerned": {
		about: "organization",
		people: from(["member", "org admin", "org owner"]),
	},
	"organization owner": { about: "organization", people: from(["org owner"]) },
};

/** Callers that a class of the table admits, by its name; all others are refused. */
export function accessClass(name: string): AccessClass | "everyone" {
	if (name === "everyone") return name;
	const [base = "", ...more] = name.split(", ");
	const { people: all, about } = bases[base] ?? assert.fail(`There is no class ${name}`);
	return {
		about,
		people: more.includes("not impersonating") ? all.filter((person) => person !== "impersonating superadmin") : all,
		keyScopes: keyScopes.filter((scope) => name.includes(scope)),
		admitsApps: more.includes("or app"),
		namesRefusals: more.includes("refusals named"),
	};
}

/** Routes by class: in each line methods, and the paths that have them. */
const table: Readonly<Record<string, string>> = {
	"site viewer, or key stats:read": `
		GET POST /exports
		POST /exports/estimate /exports/stream
		GET DELETE /exports/{job_id}`,
	"admin of some organization": "POST /migration/test-connection /migration/jobs/{job_id}/cancel",
	everyone: `
		GET /exports/download/{download_token} /livez /readyz /health /metrics /openapi.json /config /billing/plans
		GET /invitations/{token} /.well-known/oauth-authorization-server /.well-known/oauth-protected-resource
		GET /.well-known/oauth-protected-resource/mcp /oauth/authorize /oauth/consent/{request_id}
		GET HEAD /t.js
		POST /billing/provider-webhook /auth/register /auth/token /auth/refresh /auth/forgot-password
		POST /auth/reset-password /2fa/verify-login /email/verify /email/resend-verification /invitations/accept
		POST /provision /provision/claim /provision/claim/resend /oauth/register /oauth/token /oauth/revoke
		POST /oauth/onboarding /share/{token}/session`,
	"signed in": `
		GET /integrations/bigquery/schema /auth/impersonation-status /email/verification-status /audit/logs
		GET /audit/actions /utils/my-ip /users/me/preferences
		POST /auth/logout /sites /organizations /invitations/accept-existing
		DELETE /admin/impersonate-user
		PATCH /users/me`,
	// The body of POST /assistant/chat names the site, which the slice's own tests try.
	"signed in, not impersonating": `
		POST /assistant/chat /users/me/password /2fa/setup /2fa/verify /2fa/setup/verify /2fa/setup/cancel
		POST /2fa/backup-codes/regenerate /2fa/disable /oauth/consent/{request_id}/decision /api-tokens /lens/chat
		GET DELETE /auth/sessions
		DELETE /auth/sessions/{session_id} /users/me /oauth/connections/{grant_id} /api-tokens/{token_id}
		GET POST DELETE /users/me/email
		PATCH /users/me/preferences
		GET /2fa/status /2fa/backup-codes /oauth/connections /assistant/tools`,
	"organization owner, not impersonating": `
		GET /billing/overview /billing/subscription /billing/subscription/history /billing/invoices
		GET /billing/usage/current /billing/usage/history /billing/overage-status /billing/accounting-email
		POST /billing/subscription/cancel /billing/subscription/resume`,
	// PUT /billing/accounting-email checks the body before the organization.
	"owner of an organization, not impersonating": `
		PUT /billing/accounting-email
		POST /billing/checkout /billing/portal /billing/coupons/validate`,
	superadmin: `
		POST /admin/impersonate-user /admin/jobs/{id}/retry
		GET POST /users
		GET PATCH DELETE /users/{user_id}
		DELETE /admin/users/{user_id}
		PATCH /admin/organizations/{slug}/plan
		GET /admin/system /admin/jobs /stats/aggregate/overview /stats/aggregate/devices /stats/aggregate/pages
		GET /stats/aggregate/mediums /stats/aggregate/sources /stats/aggregate/geo/countries
		GET /stats/aggregate/landing-pages /stats/aggregate/conversions`,
	"signed in, or key stats:read": "POST /batch /batch/validate",
	"signed in, or key sites:read, or app": "GET /sites /sites/config/timezones",
	"signed in, or key accounts:read": "GET /auth/me /users/me /organizations /webhooks/event-types",
	"signed in, not impersonating, or key accounts:read": "GET /api-tokens /api-tokens/scopes /api-tokens/{token_id}",
	"site viewer, not impersonating": `
		GET /assistant/sessions
		GET DELETE /assistant/conversations/{conversation_id}
		POST /lens/chat/usage/increment`,
	// Sharing a view needs an editor, and changing another user's an admin, which `access-effects.test.ts` tries.
	"site viewer": `
		POST /saved-views
		GET /warnings /integrations/bigquery /integrations/bigquery/logs /integrations/bigquery/logs/{log_id} /lens/chat/usage
		GET /alerts/rules /alerts/rules/{id} /alerts/history /alerts/stats /lens/insights /lens/insights/summary
		GET /lens/insights/grouped /lens/insights/{id} /lens/settings /lens/reports /lens/reports/{id}
		GET /lens/reports/latest/{type} /segments /segments/{id} /annotations /annotations/{id} /saved-views
		GET /passthrough-referrers /passthrough-referrers/{referrer_id} /referrer-mappings
		GET /referrer-mappings/{mapping_id} /bot-stats/overview /bot-stats/suspicious-sessions /blocklist-ips
		GET /blocklist-ips/{entry_id} /imports /imports/{import_id}
		GET PATCH DELETE /saved-views/{id}`,
	"site viewer, or key stats:read, or app": `
		GET /stats/overview /stats/pages /stats/pages/top /stats/pages/content-groups /stats/mediums /stats/sources
		GET /stats/sources/top /stats/campaigns /stats/campaigns/top /stats/terms /stats/terms/top /stats/contents
		GET /stats/contents/top /stats/referrers /stats/referrers/top /stats/geo/countries /stats/landing-pages
		GET /stats/landing-pages/top /stats/landing-pages/by-content-group /stats/exit-pages /stats/channels
		GET /stats/top-channels /stats/devices /stats/devices/types /stats/browsers /stats/operating-systems
		GET /stats/conversions /stats/conversions/raw /stats/conversion-items/raw /stats/microconversions
		GET /stats/microconversions/raw /stats/microconversions/{type} /stats/microconversions-types /stats/live
		GET /stats/live/stream /stats/properties/keys /stats/properties/values /stats/properties/breakdown
		GET POST /stats/funnel`,
	"site viewer, or key accounts:read": `
		GET /webhooks /webhooks/{endpoint_id} /webhooks/{endpoint_id}/stats /webhooks/{endpoint_id}/deliveries
		GET /webhooks/{endpoint_id}/deliveries/{delivery_id} /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs`,
	"site viewer, or key stats:read, refusals named": "POST /stats/explain /stats/query /stats/query/export",
	"site viewer, or key sites:read, or app": `
		GET /sites/{id} /sites/{id}/domains /sites/{id}/utm-mappings /sites/{id}/pixel /sites/{id}/pixel/status
		GET /sites/{id}/pixel/rejections /sites/{id}/users /channel-groups /channel-groups/export
		GET /channel-groups/{rule_id}
		POST /channel-groups/test`,
	"site viewer, or key sites:read or stats:read, or app": "GET /channel-groups/stats/channels",
	"site editor": `
		POST /alerts/rules /alerts/rules/{id}/test /sites/{id}/pixel/check /lens/insights/{id}/feedback
		POST /lens/reports/generate /mail-reports/{id}/test /segments /segments/{id}/duplicate /annotations
		POST /channel-groups /channel-groups/import /passthrough-referrers /referrer-mappings /webhooks
		POST /webhooks/{endpoint_id}/test /webhooks/{endpoint_id}/rotate-secret
		POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay /webhooks/bulk/replay /blocklist-ips
		PATCH DELETE /alerts/rules/{id} /sites/{id}/utm-mappings/{mapping_id} /annotations/{id}
		PATCH DELETE /channel-groups/{rule_id} /passthrough-referrers/{referrer_id} /referrer-mappings/{mapping_id}
		PATCH DELETE /webhooks/{endpoint_id} /blocklist-ips/{entry_id}
		PATCH /alerts/history/{alert_id} /lens/insights/{id}/read /lens/insights/{id}/unread /lens/insights/{id}/dismiss
		PATCH /lens/settings
		GET POST /mail-reports
		GET PATCH DELETE /mail-reports/{id}
		POST PATCH DELETE /sites/{id}/utm-mappings
		PUT PATCH DELETE /segments/{id}`,
	"site admin": `
		POST /imports /imports/{import_id}/run /imports/{import_id}/undo /sites/{id}/share-links/{link_id}/renew
		POST /sites/{id}/goals/{goal_id}/count-earlier
		POST /sites/{id}/users /ip-allowlist/patterns/bulk /ip-allowlist/patterns/bulk-delete /ip-allowlist/import
		POST /ip-allowlist/check
		DELETE /imports/{import_id} /sites/{id}/domains/{domain}
		PATCH /sites/{id}
		GET POST /sites/{id}/share-links /ip-allowlist/patterns
		PATCH DELETE /sites/{id}/share-links/{link_id} /sites/{id}/users/{user_id}
		GET /sites/{id}/data-deletions /sites/{id}/data-deletions/{deletion_id} /ip-allowlist/export
		GET /ip-allowlist/check-current /ip-allowlist/audit
		POST DELETE /sites/{id}/domains
		GET PUT /ip-allowlist/settings
		GET PATCH DELETE /ip-allowlist/patterns/{id}`,
	"site owner": "DELETE /sites/{id} /sites/{id}/data",
	"admin of the site's organization": `
		GET POST /migration/accounts/{id}/jobs
		POST /integrations/bigquery/setup /integrations/bigquery/sync /integrations/bigquery/backfill
		POST /integrations/bigquery/retry/{log_id}
		POST PATCH DELETE /integrations/bigquery`,
	"organization member": "GET /organizations/{slug}/members",
	"organization member, or key accounts:read": "GET /organizations/{slug} /organizations/{slug}/sites",
	"organization admin or the member concerned": "GET /organizations/{slug}/members/{user_id}/sites",
	// Members may delete their own membership, which the matrix does not try.
	"organization admin": `
		DELETE /organizations/{slug}/members/{user_id} /organizations/{slug}/members/{user_id}/sites/{site_id}
		DELETE /organizations/{slug}/invitations/{id}
		GET /migration/jobs/{job_id} /migration/jobs/{job_id}/progress
		POST /organizations/{slug}/members /organizations/{slug}/members/{user_id}/sites
		POST /organizations/{slug}/invitations/{id}/resend
		PATCH /organizations/{slug}/members/{user_id}
		GET POST /organizations/{slug}/invitations`,
	"organization owner": "PATCH DELETE /organizations/{slug}",
};

/** Routes of a line: methods, and the paths that have them. */
export const routesOf = (line: string): string[] => {
	const words = line.trim().split(" ");
	const paths = words.filter((word) => word.startsWith("/"));
	return words.filter((word) => !word.startsWith("/")).flatMap((method) => paths.map((path) => `${method} ${path}`));
};

/**
 * Every route of the API and whom it lets in; `/api/v1` is left out. No superadmin who impersonates may delete anything,
 * whatever the class says: see `deletableWhileImpersonating`.
 */
export const accessTable: Readonly<Record<string, readonly string[]>> = Object.fromEntries(
	Object.entries(table).map(([name, lines]) => [name, lines.trim().split("\n").flatMap(routesOf)]),
);

/** The only route with this method that an impersonating superadmin may call: it ends the impersonation. */
export const deletableWhileImpersonating: ReadonlySet<string> = new Set(["DELETE /admin/impersonate-user"]);

/** Deletions that are not called so. */
export const deletingPosts: ReadonlySet<string> = new Set(["POST /ip-allowlist/patterns/bulk-delete"]);

const special: readonly (readonly [answer: Answer, ...lines: string[]])[] = [
	[[200], "POST /2fa/setup/cancel /auth/logout", "DELETE /auth/sessions /sites/{id}"],
	[[400, "invalid_request"], "POST /oauth/register /oauth/token /oauth/revoke"],
	[[400, "invalid_client"], "GET /oauth/authorize"],
	// The second asks for a key of its own, in the header X-Provision-Key.
	[[401, "unauthorized"], "POST /auth/refresh /provision"],
	[[404, "not_found"], "GET /assistant/conversations/{conversation_id} /invitations/{token} /2fa/backup-codes"],
	[[404, "not_found"], "GET /api-tokens/{token_id} /oauth/consent/{request_id}"],
	[
		[404, "user_not_found"],
		"DELETE /users/{user_id} /organizations/{slug}/members/{user_id} /sites/{id}/users/{user_id}",
	],
	[[404, "user_not_found"], "DELETE /organizations/{slug}/members/{user_id}/sites/{site_id}"],
	// There is no impersonation to end.
	[[409, "conflict"], "DELETE /admin/impersonate-user"],
	// Ids that are numbers, unlike those of other jobs, and UUIDs, of which the sent one is none.
	[[422, "validation_error"], "POST /migration/jobs/{job_id}/cancel"],
	[[422, "validation_error"], "PATCH /lens/insights/{id}/read /lens/insights/{id}/unread /lens/insights/{id}/dismiss"],
	[[503, "service_unavailable"], "POST /billing/subscription/cancel /billing/subscription/resume"],
	[[503, "service_unavailable"], "POST /billing/provider-webhook /lens/chat/usage/increment"],
];

/**
 * Answers of a route to admitted callers, where the usual ones do not apply. The matrix changes nothing: it sends a
 * list in place of the body (422) and unknown ids (404); reads answer 200.
 */
export const usualAnswers: Readonly<Record<string, Answer>> = Object.fromEntries(
	special.flatMap(([answer, ...lines]) => lines.flatMap(routesOf).map((route) => [route, answer])),
);
