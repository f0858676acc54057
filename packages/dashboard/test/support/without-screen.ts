/** Operations that no screen of the dashboard asks, by the reason. */
const reasons: Readonly<Record<string, string>> = {
	"is for programs: OAuth clients, provisioning, monitors": `
		GET /.well-known/oauth-authorization-server | GET /.well-known/oauth-protected-resource
		GET /.well-known/oauth-protected-resource/mcp | GET /oauth/authorize | POST /oauth/register
		POST /oauth/token | POST /oauth/revoke | GET /livez | GET /readyz | GET /health | GET /metrics
		POST /provision
	`,
	"the tracker; pages load it": "GET /t.js",
	"the API reference at /docs shows it": "GET /openapi.json",
	"a page of the server that a mail leads to does it, without scripts": `
		GET /invitations/{token} | POST /invitations/accept | POST /invitations/accept-existing
		POST /auth/reset-password | POST /email/verify | POST /provision/claim | POST /provision/claim/resend
	`,
	"the page of the server that an app leads to shows it": "GET /oauth/consent/{request_id}",
	"the page of the server that an app leads to sends it": `
		POST /oauth/consent/{request_id}/decision | POST /oauth/onboarding
	`,
	"is for the payment provider": "POST /billing/provider-webhook",
	"api/session.ts and boot.ts send it themselves, under a lock": "POST /auth/refresh",
	"api/batch.ts sends the questions of a screen by it": "POST /batch",
	"checks a batch without running it; screens run theirs": "POST /batch/validate",
	"features/live opens it as an event stream": "GET /stats/live/stream",
	"a link of the exports screen": "GET /exports/download/{download_token}",
	"the list that the screen shows has the same fields": `
		GET /imports/{import_id} | GET /migration/jobs/{job_id} | GET /sites/{id}/domains | GET /alerts/rules/{id}
		GET /lens/insights/{id} | GET /annotations/{id} | GET /saved-views/{id} | GET /api-tokens/{token_id}
		GET /users/{user_id} | GET /ip-allowlist/patterns/{id} | GET /blocklist-ips/{entry_id}
		GET /mail-reports/{id} | GET /sites/{id}/data-deletions/{deletion_id}
	`,
	"each answer tells which of them were used": "GET /assistant/tools",
	"the same as POST /assistant/chat": "POST /lens/chat",
	"is for clients that answer by a model of their own": "POST /lens/chat/usage/increment",
	"the whole list is on the report; this is its beginning, for pages that show no more": `
		GET /stats/campaigns/top | GET /stats/contents/top | GET /stats/landing-pages/top | GET /stats/pages/top
		GET /stats/referrers/top | GET /stats/sources/top | GET /stats/terms/top | GET /stats/top-channels
	`,
	"types, browsers and systems in one answer; the report asks each for itself": "GET /stats/devices",
	"the funnel of all goals; Funnels asks for chosen steps by POST": "GET /stats/funnel",
	"the list of events on the goals screen has the types": "GET /stats/microconversions-types",
	"Explore answers it: landing page by content group": "GET /stats/landing-pages/by-content-group",
	"the report's list of channels has the same figures": "GET /channel-groups/stats/channels",
	"GET /billing/overview, which the screen asks, has it": "GET /billing/subscription",
	"the same as DELETE /sites/{id}/domains with a body, which the screen sends": "DELETE /sites/{id}/domains/{domain}",
	"the strip of the report and the page of insights count their lists": "GET /lens/insights/summary",
	"the list of reports begins with it": "GET /lens/reports/latest/{type}",
	"the same as GET /auth/me": "GET /users/me",
	"who is not verified cannot sign in, so nobody would see it": "GET /email/verification-status",
	"GET /2fa/status, which the screen asks, tells how many are left": "GET /2fa/backup-codes",
	"the scopes are an enumeration of POST /api-tokens, which the screen knows by its type": "GET /api-tokens/scopes",
	"the types are an enumeration of POST /webhooks, which the screen knows by its type": "GET /webhooks/event-types",
	"the same as POST /2fa/verify": "POST /2fa/setup/verify",
	"the same as PATCH with is_active false, which the screen sends": "DELETE /users/{user_id}",
	"the same as PATCH with all fields, which the screen sends": "PUT /segments/{id}",
	"the same as the route with the mapping's id, which the screen sends": "PATCH /sites/{id}/utm-mappings",
	"the same as the route with the parameter, which the screen sends": "DELETE /sites/{id}/utm-mappings/{mapping_id}",
	"people are invited, and come when they accept": "POST /organizations/{slug}/members",
	"the same as POST /sites/{id}/users, which the table of people and sites sends": `
		POST /organizations/{slug}/members/{user_id}/sites
	`,
	"POST /ip-allowlist/import takes lines and files, and refuses none for another's fault": `
		POST /ip-allowlist/patterns/bulk
	`,
	"POST /webhooks/bulk/replay, which the screen sends, takes one as well": `
		POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay
	`,
	"all sites together are shown by pages, sources and countries": `
		GET /stats/aggregate/devices | GET /stats/aggregate/mediums | GET /stats/aggregate/landing-pages
		GET /stats/aggregate/conversions
	`,
};

/** The same, each with its reason. */
export const withoutScreen: Readonly<Record<string, string>> = Object.fromEntries(
	Object.entries(reasons).flatMap(([reason, operations]) =>
		operations
			.trim()
			.split(/ \| |\n\s*/)
			.map((operation) => [operation, reason]),
	),
);
