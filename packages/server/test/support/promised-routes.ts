/** Paths below `/api/v1` that the contract of the API promises, with their methods, a chapter a list. */
const chapters: Readonly<Record<string, readonly string[]>> = {
	"sign-in and account": [
		"POST /auth/register /auth/token /auth/refresh /auth/logout /auth/forgot-password /auth/reset-password",
		"GET /auth/me /users/me /auth/sessions /auth/impersonation-status /email/verification-status",
		"DELETE /auth/sessions /auth/sessions/{session_id} /users/me",
		"PATCH /users/me",
		"POST /users/me/password /users/me/email /email/verify /email/resend-verification",
		"GET PATCH /users/me/preferences",
		"GET /2fa/status /2fa/backup-codes",
		"POST /2fa/setup /2fa/setup/verify /2fa/setup/cancel /2fa/verify /2fa/verify-login /2fa/disable",
		"POST /2fa/backup-codes/regenerate",
	],
	users: [
		"GET POST /users",
		"GET PATCH DELETE /users/{user_id}",
		"POST DELETE /admin/impersonate-user",
		"GET /admin/system /admin/jobs",
		"POST /admin/jobs/{id}/retry",
		"PATCH /admin/organizations/{slug}/plan",
	],
	"API tokens": ["GET /api-tokens/scopes", "GET POST /api-tokens", "GET DELETE /api-tokens/{token_id}"],
	organizations: [
		"GET POST /organizations",
		"GET PATCH DELETE /organizations/{slug}",
		"GET POST /organizations/{slug}/members /organizations/{slug}/members/{user_id}/sites",
		"PATCH DELETE /organizations/{slug}/members/{user_id}",
		"DELETE /organizations/{slug}/members/{user_id}/sites/{site_id} /organizations/{slug}/invitations/{id}",
		"GET /organizations/{slug}/sites /invitations/{token}",
		"GET POST /organizations/{slug}/invitations",
		"POST /organizations/{slug}/invitations/{id}/resend /invitations/accept /invitations/accept-existing",
	],
	sites: [
		"GET /sites/config/timezones",
		"GET POST /sites",
		"GET PATCH DELETE /sites/{id}",
		"GET POST DELETE /sites/{id}/domains",
		"DELETE /sites/{id}/domains/{domain} /sites/{id}/utm-mappings/{custom_param} /sites/{id}/data",
		"GET POST PATCH DELETE /sites/{id}/utm-mappings",
		"PATCH /sites/{id}/utm-mappings/{mapping_id}",
		"GET POST /sites/{id}/users /sites/{id}/share-links",
		"PATCH DELETE /sites/{id}/users/{user_id} /sites/{id}/share-links/{link_id}",
		"GET /sites/{id}/pixel /sites/{id}/pixel/status /sites/{id}/pixel/rejections",
		"POST /sites/{id}/pixel/check /share/{token}/session",
	],
	attribution: [
		"GET POST /channel-groups /passthrough-referrers /referrer-mappings",
		"GET PATCH DELETE /channel-groups/{rule_id} /passthrough-referrers/{referrer_id} /referrer-mappings/{mapping_id}",
		"GET /channel-groups/stats/channels /channel-groups/export /utils/my-ip",
		"POST /channel-groups/import /channel-groups/test",
	],
	"bots and addresses": [
		"GET /bot-stats/overview /bot-stats/suspicious-sessions",
		"GET PUT /ip-allowlist/settings",
		"GET POST /ip-allowlist/patterns /blocklist-ips",
		"GET PATCH DELETE /ip-allowlist/patterns/{id} /blocklist-ips/{entry_id}",
		"POST /ip-allowlist/patterns/bulk /ip-allowlist/patterns/bulk-delete /ip-allowlist/check /ip-allowlist/import",
		"GET /ip-allowlist/check-current /ip-allowlist/export /ip-allowlist/audit /audit/logs",
	],
	reports: [
		"GET /stats/overview /stats/pages /stats/pages/top /stats/pages/content-groups /stats/exit-pages",
		"GET /stats/mediums /stats/sources /stats/campaigns /stats/terms /stats/contents /stats/referrers",
		"GET /stats/sources/top /stats/campaigns/top /stats/terms/top /stats/contents/top /stats/referrers/top",
		"GET /stats/geo/countries /stats/devices /stats/devices/types /stats/browsers /stats/operating-systems",
		"GET /stats/landing-pages /stats/landing-pages/top /stats/landing-pages/by-content-group",
		"GET /stats/channels /stats/top-channels /stats/conversions /stats/conversions/raw",
		"GET /stats/microconversions /stats/microconversions/raw /stats/microconversions/{type}",
		"GET /stats/microconversions-types /stats/conversion-items/raw",
		"GET /stats/properties/keys /stats/properties/values /stats/properties/breakdown",
		"GET /stats/live /stats/live/stream",
		"GET POST /stats/funnel",
		"GET /stats/aggregate/overview /stats/aggregate/pages /stats/aggregate/mediums /stats/aggregate/sources",
		"GET /stats/aggregate/geo/countries /stats/aggregate/devices /stats/aggregate/landing-pages",
		"GET /stats/aggregate/conversions",
		"POST /stats/query /stats/query/export /stats/explain /batch /batch/validate",
		"GET POST /segments /annotations /saved-views",
		"GET PUT PATCH DELETE /segments/{id}",
		"GET PATCH DELETE /annotations/{id} /saved-views/{id}",
		"POST /segments/{id}/duplicate",
	],
	delivery: [
		"GET POST /exports /webhooks /alerts/rules",
		"POST /exports/estimate /exports/stream",
		"GET DELETE /exports/{job_id}",
		"GET /exports/download/{download_token}",
		"GET PATCH DELETE /webhooks/{endpoint_id} /alerts/rules/{id}",
		"GET /webhooks/event-types /webhooks/{endpoint_id}/stats /webhooks/{endpoint_id}/deliveries",
		"GET /webhooks/{endpoint_id}/deliveries/{delivery_id} /webhooks/{endpoint_id}/deliveries/{delivery_id}/logs",
		"POST /webhooks/{endpoint_id}/test /webhooks/{endpoint_id}/rotate-secret /webhooks/bulk/replay",
		"POST /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay /alerts/rules/{id}/test",
		"GET /alerts/history /alerts/stats",
		"PATCH /alerts/history/{alert_id}",
	],
	billing: [
		"GET /billing/plans /billing/overview /billing/subscription /billing/subscription/history /billing/invoices",
		"GET /billing/usage/current /billing/usage/history /billing/overage-status",
		"POST /billing/checkout /billing/portal /billing/subscription/cancel /billing/subscription/resume",
		"POST /billing/coupons/validate /billing/provider-webhook",
		"GET PUT /billing/accounting-email",
	],
	BigQuery: [
		"GET POST PATCH DELETE /integrations/bigquery",
		"POST /integrations/bigquery/setup /integrations/bigquery/sync /integrations/bigquery/backfill",
		"POST /integrations/bigquery/retry/{log_id}",
		"GET /integrations/bigquery/logs /integrations/bigquery/logs/{log_id} /integrations/bigquery/schema",
	],
	LENS: [
		"GET /lens/insights /lens/insights/summary /lens/insights/grouped /lens/insights/{id}",
		"PATCH /lens/insights/{id}/read /lens/insights/{id}/unread /lens/insights/{id}/dismiss",
		"POST /lens/insights/{id}/feedback /lens/reports/generate /lens/chat /lens/chat/usage/increment",
		"GET PATCH /lens/settings",
		"GET /lens/reports /lens/reports/{id} /lens/reports/latest/{type} /lens/chat/usage",
		"POST /assistant/chat",
		"GET /assistant/sessions /assistant/tools",
		"GET DELETE /assistant/conversations/{id}",
	],
	"moving in": [
		"POST /migration/test-connection /migration/jobs/{job_id}/cancel",
		"GET POST /migration/accounts/{id}/jobs /imports",
		"GET /migration/jobs/{job_id} /migration/jobs/{job_id}/progress",
		"GET DELETE /imports/{import_id}",
		"POST /imports/{import_id}/run /imports/{import_id}/undo",
	],
	"apps and provisioning": [
		"POST /oauth/register /oauth/token /oauth/revoke /oauth/onboarding /oauth/consent/{request_id}/decision",
		"GET /oauth/authorize /oauth/connections /oauth/consent/{request_id} /config",
		"DELETE /oauth/connections/{grant_id}",
		"POST /provision /provision/claim /provision/claim/resend",
	],
};

/** Promised addresses outside `/api/v1`. */
const roots = [
	"GET /livez",
	"GET /readyz",
	"GET /health",
	"GET /t.js",
	"HEAD /t.js",
	"POST /event",
	"OPTIONS /event",
	"POST /mcp",
	"GET /.well-known/oauth-authorization-server",
	"GET /.well-known/oauth-protected-resource",
	"GET /.well-known/oauth-protected-resource/mcp",
] as const;

const each = (line: string): string[] => {
	const words = line.split(" ");
	const paths = words.filter((word) => word.startsWith("/"));
	return words
		.filter((word) => !word.startsWith("/"))
		.flatMap((method) => paths.map((path) => `${method} /api/v1${path}`));
};

/** Every route of the contract, as `METHOD /path`, with parameters in braces. */
export const promisedRoutes: readonly string[] = [...roots, ...Object.values(chapters).flat().flatMap(each)];
