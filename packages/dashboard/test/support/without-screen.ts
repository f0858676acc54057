const shorter = "the whole list is on the report; this is its beginning, for pages that show no more";
const detail = "the list that the screen shows has the same fields";
const page = "a page of the server that a mail leads to does it, without scripts";
const program = "is for programs: OAuth clients, provisioning, monitors";

/** Operations that no screen of the dashboard asks, each with the reason. */
export const withoutScreen: Readonly<Record<string, string>> = {
	"GET /.well-known/oauth-authorization-server": program,
	"GET /.well-known/oauth-protected-resource": program,
	"GET /.well-known/oauth-protected-resource/mcp": program,
	"GET /oauth/authorize": program,
	"POST /oauth/register": program,
	"POST /oauth/token": program,
	"POST /oauth/revoke": program,
	"GET /livez": program,
	"GET /readyz": program,
	"GET /health": program,
	"GET /metrics": program,
	"POST /provision": program,
	"GET /t.js": "the tracker; pages load it",
	"GET /openapi.json": "the API reference at /docs shows it",

	"GET /invitations/{token}": page,
	"POST /invitations/accept": page,
	"POST /invitations/accept-existing": page,
	"POST /auth/reset-password": page,
	"POST /email/verify": page,
	"POST /provision/claim": page,
	"POST /provision/claim/resend": page,
	"GET /oauth/consent/{request_id}": "the page of the server that an app leads to shows it",
	"POST /oauth/consent/{request_id}/decision": "the page of the server that an app leads to sends it",
	"POST /oauth/onboarding": "the page of the server that an app leads to sends it",

	"POST /auth/refresh": "api/session.ts and boot.ts send it themselves, under a lock",
	"POST /batch": "api/batch.ts sends the questions of a screen by it",
	"POST /batch/validate": "checks a batch without running it; screens run theirs",
	"GET /stats/live/stream": "features/live opens it as an event stream",
	"GET /exports/download/{download_token}": "a link of the exports screen",

	"GET /stats/campaigns/top": shorter,
	"GET /stats/contents/top": shorter,
	"GET /stats/landing-pages/top": shorter,
	"GET /stats/pages/top": shorter,
	"GET /stats/referrers/top": shorter,
	"GET /stats/sources/top": shorter,
	"GET /stats/terms/top": shorter,
	"GET /stats/top-channels": shorter,
	"GET /stats/devices": "types, browsers and systems in one answer; the report asks each for itself",
	"GET /stats/funnel": "the funnel of all goals; Funnels asks for chosen steps by POST",
	"GET /stats/microconversions-types": "the list of events on the goals screen has the types",
	"GET /stats/landing-pages/by-content-group": "Explore answers it: landing page by content group",
	"GET /channel-groups/stats/channels": "the report's list of channels has the same figures",

	"GET /sites/{id}/domains": detail,
	"DELETE /sites/{id}/domains/{domain}": "the same as DELETE /sites/{id}/domains with a body, which the screen sends",
	"GET /alerts/rules/{id}": detail,
	"GET /annotations/{id}": detail,
	"GET /saved-views/{id}": detail,
	"GET /users/me": "the same as GET /auth/me",
	"GET /email/verification-status": "who is not verified cannot sign in, so nobody would see it",
	"GET /2fa/backup-codes": "GET /2fa/status, which the screen asks, tells how many are left",
	"GET /api-tokens/scopes": "the scopes are an enumeration of POST /api-tokens, which the screen knows by its type",
	"GET /webhooks/event-types": "the types are an enumeration of POST /webhooks, which the screen knows by its type",
	"GET /api-tokens/{token_id}": detail,
	"GET /users/{user_id}": detail,
	"GET /ip-allowlist/patterns/{id}": detail,
	"GET /blocklist-ips/{entry_id}": detail,
	"GET /mail-reports/{id}": detail,
	"GET /sites/{id}/data-deletions/{deletion_id}": detail,

	"POST /2fa/setup/verify": "the same as POST /2fa/verify",
	"DELETE /users/{user_id}": "the same as PATCH with is_active false, which the screen sends",
	"PUT /segments/{id}": "the same as PATCH with all fields, which the screen sends",
	"PATCH /sites/{id}/utm-mappings": "the same as the route with the mapping's id, which the screen sends",
	"DELETE /sites/{id}/utm-mappings/{mapping_id}": "the same as the route with the parameter, which the screen sends",
	"POST /organizations/{slug}/members": "people are invited, and come when they accept",
	"POST /organizations/{slug}/members/{user_id}/sites":
		"the same as POST /sites/{id}/users, which the table of people and sites sends",
	"POST /ip-allowlist/patterns/bulk":
		"POST /ip-allowlist/import takes lines and files, and refuses none for another's fault",
	"POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay":
		"POST /webhooks/bulk/replay, which the screen sends, takes one as well",

	"GET /stats/aggregate/devices": "all sites together are shown by pages, sources and countries",
	"GET /stats/aggregate/mediums": "all sites together are shown by pages, sources and countries",
	"GET /stats/aggregate/landing-pages": "all sites together are shown by pages, sources and countries",
	"GET /stats/aggregate/conversions": "all sites together are shown by pages, sources and countries",
};
