import assert from "node:assert/strict";
import { issueOneTimeToken } from "../../src/features/people/one-time-tokens/index.ts";
import type { Headers } from "./access-people.ts";
import { routesOf } from "./access-table.ts";
import { accessScene, addressOf, targetsOf } from "./access-targets.ts";
import { auditTrail } from "./audit-trail.ts";
import { totpAt } from "./authenticator.ts";
import { dataOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";
import { password } from "./test-users.ts";
import { changeBodies } from "./write-samples.ts";

interface Step {
	readonly as?: Headers;
	readonly body?: object;
	readonly ids?: Readonly<Record<string, string>>;
}

const shownOnce = ["token", "access_token", "api_key", "secret", "invitation_link", "claim_url"];

/** People who change things, watched for the entries that they leave. */
export type AuditedWrites = Awaited<ReturnType<typeof auditedWrites>>;

export async function auditedWrites(app: TestApp) {
	const { everybody, targets, operations } = await accessScene(app);
	const owner = everybody.sessions["org owner"];
	const covered = new Set<string>();
	/** Secrets that were shown once, or that only their owner knows. */
	const secrets: string[] = [];
	/** Does something that must succeed and leave exactly these entries, a space between; answers the data. */
	const does = async (
		route: string,
		actions: string,
		{ as = owner, body, ids }: Step = {},
	): Promise<Record<string, string>> => {
		const operation = operations.find((known) => known.route === route) ?? assert.fail(`${route} is no route`);
		const before = (await auditTrail(app)).length;
		const response = await app.inject({
			method: operation.method,
			url: addressOf(operation, { ...targetsOf(operation, targets), ...ids }, "shop"),
			headers: { ...as },
			...(operation.hasBody && { payload: body ?? changeBodies[route] ?? {} }),
		});
		assert.ok(response.statusCode < 300, `${route}: ${response.statusCode} ${response.body}`);
		const left = (await auditTrail(app)).slice(before);
		assert.equal(left.map(({ action }) => action).join(" "), actions, route);
		covered.add(route);
		if (response.statusCode === 204) return {};
		const answer = response.json();
		const data = answer.data ?? answer;
		secrets.push(...shownOnce.map((name) => data[name]).filter((value) => typeof value === "string" && value !== ""));
		return data;
	};
	const oneTimeToken = async (kind: Parameters<typeof issueOneTimeToken>[1], userId: number): Promise<string> => {
		const { token } = await issueOneTimeToken(app.metadata, kind, userId, app.clock.now());
		secrets.push(token);
		return token;
	};
	return { everybody, does, oneTimeToken, covered, secrets };
}

/** Switches a second factor on and off in every way there is. */
export async function changeSecondFactor(app: TestApp, { everybody, does, secrets }: AuditedWrites): Promise<void> {
	const as = everybody.sessions["site editor"];
	const post = (url: string, body: object) => dataOf(app, `POST ${url}`, { headers: as, body });
	const codeOf = (secret: string) => {
		secrets.push(secret);
		// A code counts once.
		app.clock.advance(30_000);
		return totpAt(secret, app.clock.now());
	};
	const first = (await post("/2fa/setup", { password })).secret;
	await does("POST /2fa/verify", "user.2fa_enabled", { as, body: { code: codeOf(first) } });
	const regenerated = { as, body: { code: codeOf(first) } };
	await does("POST /2fa/backup-codes/regenerate", "user.backup_codes_regenerated", regenerated);
	const { challenge_token } = await post("/auth/token", { email: "site-editor@example.com", password });
	await does("POST /2fa/verify-login", "user.login", { as: {}, body: { challenge_token, code: codeOf(first) } });
	await does("POST /2fa/disable", "user.2fa_disabled", { as, body: { password, code: codeOf(first) } });
	const second = (await post("/2fa/setup", { password })).secret;
	await does("POST /2fa/setup/verify", "user.2fa_enabled", { as, body: { code: codeOf(second) } });
}

/** Why routes leave no entry: they change nothing worth one. */
const reasons: Readonly<Record<string, readonly string[]>> = {
	reads: [
		"POST /stats/explain /stats/funnel /stats/query /stats/query/export /exports/estimate /exports/stream",
		"POST /batch /batch/validate /channel-groups/test /ip-allowlist/check /sites/{id}/pixel/check",
		"POST /billing/coupons/validate",
	],
	"its creation has its entry": ["DELETE /exports/{job_id}", "POST /migration/jobs/{job_id}/cancel"],
	"takes a form with a file; its entry is looked at where imports are tested": ["POST /imports"],
	"asks the older service and keeps nothing": ["POST /migration/test-connection"],
	"is in the log of deliveries": [
		"POST /webhooks/{endpoint_id}/test /webhooks/{endpoint_id}/deliveries/{delivery_id}/replay /webhooks/bulk/replay",
	],
	"creates what is missing in BigQuery, whose own log tells of it": ["POST /integrations/bigquery/setup"],
	"is in the log of syncs": [
		"POST /integrations/bigquery/sync /integrations/bigquery/backfill /integrations/bigquery/retry/{log_id}",
	],
	"sends a test and keeps nothing": ["POST /alerts/rules/{id}/test"],
	"the alert itself says who has looked at it, and when": ["PATCH /alerts/history/{alert_id}"],
	"the insight itself says that it was read or dismissed": [
		"PATCH /lens/insights/{id}/read /lens/insights/{id}/unread /lens/insights/{id}/dismiss",
	],
	"an opinion, which changes nothing": ["POST /lens/insights/{id}/feedback"],
	"sums up figures that are there": ["POST /lens/reports/generate"],
	"mails the caller": ["POST /mail-reports/{id}/test"],
	"reads; the link counts how often it was opened": ["POST /share/{token}/session"],
	"the history of subscriptions has it": ["POST /billing/checkout"],
	"opens pages of the payment provider": ["POST /billing/portal"],
	"the history of subscriptions has it; a change of the plan has its entry": [
		"POST /billing/subscription/cancel /billing/subscription/resume /billing/provider-webhook",
	],
	"reads; what was asked and answered is its user's alone": ["POST /assistant/chat /lens/chat"],
	"the month's usage is what it changes": ["POST /lens/chat/usage/increment"],
	"what was asked and answered was its user's alone": ["DELETE /assistant/conversations/{conversation_id}"],
	"keeps a session that has its entry": ["POST /auth/refresh"],
	"sends a mail; using the link has its entry": ["POST /auth/forgot-password /email/resend-verification"],
	"an app describes itself; letting it in has its entry": ["POST /oauth/register"],
	"gives out what was approved, which has its entry": ["POST /oauth/token"],
	"takes a form; the entry is looked at where revocation is tested": ["POST /oauth/revoke"],
	"nothing is on before the code is verified": ["POST /2fa/setup /2fa/setup/cancel"],
	"how pages look to the user alone": ["PATCH /users/me/preferences"],
};

export const withoutEntry: readonly string[] = Object.values(reasons).flat().flatMap(routesOf);
