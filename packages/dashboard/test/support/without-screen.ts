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
};
