import { conversations } from "../../src/features/connecting/assistant/store.ts";
import { unsent } from "../../src/features/delivering/alerts/incidents.ts";
import { alertHistory } from "../../src/features/delivering/alerts/store.ts";
import { syncs } from "../../src/features/delivering/bigquery/store.ts";
import { noteFindings } from "../../src/features/delivering/lens/insights/note-findings.ts";
import { webhookDeliveries } from "../../src/features/delivering/webhooks/deliveries/deliveries-store.ts";
import { newDelivery } from "../../src/features/delivering/webhooks/sending/enqueue-attempt.ts";
import { uuid } from "../../src/platform/lib/ids.ts";
import { accessPeople, type Headers } from "./access-people.ts";
import { formOf } from "./import-site.ts";
import { appTokens } from "./oauth-flow.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { dataOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

/** Ids of one tenant, by the path that they belong to. */
export type Targets = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** Settings for a tenant with one resource of each kind: an older service that is never called. */
export const targetEnv = { LEGACY_API_URL: "http://127.0.0.1:9" };

/** One of each thing that a tenant can have, made over HTTP; answers their ids. */
export async function accessTargets(
	app: TestApp,
	tenant: { readonly headers: Headers; readonly site: string; readonly organization: string; readonly userId: number },
): Promise<Targets> {
	const { headers, site, organization, userId } = tenant;
	const account = `account_id=${site}`;
	const send = (route: string, body?: object) => dataOf(app, route, { headers, body });
	const create = async (url: string, body: object) => {
		const { id, invitation_id, job_id } = await send(`POST ${url}`, body);
		return String(id ?? invitation_id ?? job_id);
	};
	const onSite = (url: string, body: object) => create(`${url}?${account}`, body);
	const email = `guest@${site}.example`;
	await appTokens(app, { headers, site });
	await create(`/sites/${site}/domains`, { domain: `${site}.example` });
	const mapping = { custom_param: "src", maps_to: "utm_source" };
	const goal = { name: "Order", kind: "page", pattern: "/thank-you", conversion_type: "order" };
	const { goals } = await send(`PATCH /sites/${site}`, { goals: [goal] });
	// Of days on which nothing was counted.
	const deletion = await send(`DELETE /sites/${site}/data`, { confirm: site, to: "2020-01-01" });
	const november = { date_from: "2026-11-01", date_to: "2026-11-02" };
	// A file of a few rows, which is complete at once.
	const { job } = await send(`POST /exports?${account}`, { export_type: "pages", ...november });
	const migration = { v1_email: "ann@example.com", v1_password: "x", v1_account_id: "a1", ...november };
	const buyers = { conditions: [{ field: "country", operator: "eq", value: "ES" }] };
	const view = { kind: "funnel", name: "Checkout", definition: { view: ["page:/"] }, is_shared: true };
	const news = { referrer_pattern: "news.example", match_type: "exact", utm_source: "news" };
	const hook = { name: "Hook", url: `https://hooks.${site}.example/`, event_types: ["export.failed"] };
	return {
		"/sites": { id: site, domain: `${site}.example`, custom_param: "src", user_id: String(userId) },
		"/sites/{id}/utm-mappings": { id: site, mapping_id: await create(`/sites/${site}/utm-mappings`, mapping) },
		"/sites/{id}/goals": { id: site, goal_id: goals[0].id },
		"/sites/{id}/data-deletions": { id: site, deletion_id: String(deletion.id) },
		"/exports": { job_id: job.job_id, download_token: new URL(job.download_url).pathname.split("/").at(-1) ?? "" },
		"/imports": { import_id: await anImport(app, headers, account) },
		"/migration/accounts": { id: site },
		"/migration/jobs": { job_id: await create(`/migration/accounts/${site}/jobs`, migration) },
		"/integrations/bigquery": { log_id: await aSync(app, site) },
		"/segments": { id: await onSite("/segments", { name: "buyers", display_name: "Buyers", filters: buyers }) },
		"/annotations": { id: await onSite("/annotations", { date: "2026-11-20", text: "New prices" }) },
		"/saved-views": { id: await onSite("/saved-views", view) },
		"/channel-groups": { rule_id: await onSite("/channel-groups", { channel_name: "Ours", source_pattern: "ours" }) },
		"/passthrough-referrers": {
			referrer_id: await onSite("/passthrough-referrers", { domain: "pay.example", utm_source: "pay" }),
		},
		"/referrer-mappings": { mapping_id: await onSite("/referrer-mappings", news) },
		"/assistant/conversations": { conversation_id: await aConversation(app, (await send("GET /users/me")).id, site) },
		"/alerts/rules": { id: await onSite("/alerts/rules", { name: "Spike" }) },
		"/alerts/history": { alert_id: await anAlert(app, site) },
		"/lens/insights": { id: await anInsight(app, site) },
		"/lens/reports": { id: await onSite("/lens/reports/generate", { report_type: "weekly" }) },
		"/lens/reports/latest": { type: "weekly" },
		"/mail-reports": { id: await onSite("/mail-reports", { frequency: "weekly", recipients: [email] }) },
		"/sites/{id}/share-links": {
			id: site,
			link_id: await create(`/sites/${site}/share-links`, { name: "For others" }),
		},
		"/share": { token: "x".repeat(43) },
		"/ip-allowlist": { id: await onSite("/ip-allowlist/patterns", { pattern: "192.0.2.1" }) },
		"/webhooks": await webhookTargets(app, await onSite("/webhooks", hook)),
		"/blocklist-ips": { entry_id: await onSite("/blocklist-ips", { ip_or_cidr: "192.0.2.9" }) },
		"/api-tokens": { token_id: await create("/api-tokens", { name: "reports" }) },
		"/auth/sessions": { session_id: (await send("GET /auth/sessions")).sessions[0].id },
		"/oauth/connections": { grant_id: (await send("GET /oauth/connections"))[0].grant_id },
		"/organizations": { slug: organization, user_id: String(userId), site_id: site },
		"/organizations/{slug}/invitations": {
			slug: organization,
			id: await create(`/organizations/${organization}/invitations`, { email }),
		},
		"/admin/organizations": { slug: organization },
		"/billing": { org_id: (await send(`GET /organizations/${organization}`)).id },
		"/users": { user_id: String(userId) },
		"/invitations": { token: "x".repeat(43) },
		"/stats/microconversions": { type: "signup" },
	};
}

/** Everyone who tries, one of each thing of their site `shop`, and every route. */
export async function accessScene(app: TestApp) {
	const everybody = await accessPeople(app);
	const owner = { headers: everybody.sessions["org owner"], organization: "org-owner" };
	const targets = await accessTargets(app, { ...owner, site: "shop", userId: everybody.ids.member });
	return { everybody, targets, operations: operationsOf(app) };
}

/** A drop of traffic that was never counted. */
async function anInsight(app: TestApp, site: string): Promise<string> {
	const change = { severity: "red", unit: "count", value: 500, baseline: 1000, change: -50, threshold: 20 } as const;
	const sample = { days: 14, events: 1500, conversions: null };
	const unknown = { entity: null, interval: null, baselineInterval: null, impact: null, other: null };
	const finding = { rule: "traffic_drop", confidence: "high", ...change, ...unknown, sample } as const;
	const now = { start: "2026-11-14", end: "2026-11-20" };
	const days = { now, before: { start: "2026-11-07", end: "2026-11-13" } };
	const found = { siteId: site, findings: [finding], days, nowMs: app.clock.now() };
	const [id = ""] = await noteFindings(app.metadata, found);
	return id;
}

/** A log of one line, of which nobody has asked for the rows. */
async function anImport(app: TestApp, headers: Headers, account: string): Promise<string> {
	const bytes = `192.0.2.1 - - [10/Nov/2026:10:00:00 +0000] "GET /${account} HTTP/1.1" 200 1 "-" "Firefox"`;
	const form = formOf({ source: "access_log" }, { bytes });
	const sent = { headers: { ...headers, ...form.headers }, body: form.payload };
	return (await dataOf(app, `POST /imports?${account}`, sent)).import_id;
}

/** One that asks no model. */
async function aConversation({ metadata, clock }: TestApp, user: unknown, site: string): Promise<string> {
	const row = { id: uuid(), site_id: site, user_id: Number(user), title: "How many?" };
	await conversations.insert(metadata, { ...row, created_at: clock.now(), updated_at: clock.now() });
	return row.id;
}

/** Something that an alert rule found; no request can make it. */
async function anAlert({ metadata, clock }: TestApp, site: string): Promise<string> {
	const nowMs = clock.now();
	const rule = { rule_id: 2_000_000_000, rule_name: "Gone", alert_type: "traffic_drop", metric: "pageviews" } as const;
	const values = { current_value: 1, baseline_value: 4, expected_value: 4, change_percentage: -75 };
	const row = await alertHistory.insert(metadata, {
		...unsent,
		...rule,
		...values,
		site_id: site,
		severity: "warning",
		period_start: nowMs,
		period_end: nowMs,
		triggered_at: nowMs,
		status: "active",
	});
	return String(row.id);
}

/** A sync with BigQuery that failed; no request can make it without Google. */
async function aSync({ metadata, clock }: TestApp, site: string): Promise<string> {
	const chunk = { from: "2026-11-20", to: "2026-11-21" };
	const row = await syncs.insert(metadata, {
		sync_id: uuid(),
		site_id: site,
		sync_type: "incremental",
		date_from: chunk.from,
		date_to: chunk.to,
		data_types: '["traffic"]',
		chunks: JSON.stringify([chunk]),
		chunks_done: 0,
		failed_chunks: JSON.stringify([{ ...chunk, error: "Access Denied" }]),
		tables_synced: "{}",
		status: "failed",
		error_message: "Access Denied",
		started_at: clock.now(),
		completed_at: clock.now(),
	});
	return String(row.id);
}

async function webhookTargets(app: TestApp, endpointId: string) {
	const event = { event_id: "e1", event_type: "export.failed", payload: '{"data":{}}' } as const;
	const row = newDelivery({ endpoint_id: endpointId, ...event }, app.clock.now());
	const { delivery_id } = await webhookDeliveries.insert(app.metadata, row);
	return { endpoint_id: endpointId, delivery_id };
}

const numbered = "id alert_id mapping_id rule_id referrer_id entry_id token_id user_id deletion_id log_id";
const random = "job_id import_id session_id endpoint_id delivery_id grant_id conversation_id";
const all = (names: string, value: string) => Object.fromEntries(names.split(" ").map((name) => [name, value]));

export const unknownIds: Readonly<Record<string, string>> = {
	...all(numbered, "2147483646"),
	...all(random, "00000000-0000-4000-8000-000000000000"),
	...all("custom_param site_id request_id slug", "unknown"),
	domain: "unknown.example",
	download_token: "y".repeat(43),
};

export function targetsOf(operation: Operation, targets: Targets): Readonly<Record<string, string>> {
	const path = operation.path.replace("/api/v1", "");
	const fitting = Object.keys(targets)
		.filter((prefix) => path.startsWith(prefix))
		.sort((a, b) => a.length - b.length);
	return Object.assign({}, ...fitting.map((prefix) => targets[prefix]));
}

/** Paths whose `id` is that of a site. */
export const sitePaths = /^\/api\/v1\/(sites|migration\/accounts)\//;

/** An address with some parameters of its query set to these values. */
export function withQuery(address: string, given: readonly (readonly [name: string, value: string])[]): string {
	const [path = "", text] = address.split("?");
	const query = new URLSearchParams(text);
	for (const [name] of given) query.delete(name);
	for (const [name, value] of given) query.append(name, value);
	return `${path}?${query}`;
}

/** The address of a route about a site, and about things that are not there. */
export function plainAddress(operation: Operation, site: string): string {
	const ids = { ...unknownIds, slug: "org-owner", ...(sitePaths.test(operation.path) && { id: site }) };
	const address = addressOf(operation, ids, site);
	if (address.includes(site) || !operation.parameters.some(({ name }) => name === "account_id")) return address;
	return `${address}${address.includes("?") ? "&" : "?"}account_id=${site}`;
}

/** Values of parameters that a route cannot do without. */
const neededQuery: Readonly<Record<string, string>> = { property_key: "plan", new_name: "copy" };

/** The address of a route with ids in its path and query, about a site where it names one. */
export function addressOf(operation: Operation, ids: Readonly<Record<string, string>>, site: string): string {
	const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(ids[name] ?? name));
	const query = new URLSearchParams();
	for (const { name, in: place, required } of operation.parameters) {
		if (place !== "query") continue;
		// The link of a file names its site as `account_id` and knows no other name.
		const isLink = operation.path.includes("/exports/download/");
		const namesSite = name === "account_id" ? required === true || isLink : name === "site_id" && !isLink;
		if (namesSite) query.set(name, site);
		else if (operation.path === "/t.js" && name === "id") query.set("id", site);
		else if (name === "account_ids") for (const id of ["shop", "other"]) query.append(name, id);
		else if (name === "org_id" && ids.org_id !== undefined) query.set(name, ids.org_id);
		else if (required === true) query.set(name, ids[name] ?? neededQuery[name] ?? "1");
	}
	return query.size === 0 ? path : `${path}?${query}`;
}
