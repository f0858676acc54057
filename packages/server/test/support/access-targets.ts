import { insertConversation } from "../../src/features/connecting/assistant/store.ts";
import { insertAlert } from "../../src/features/delivering/alerts/history-store.ts";
import { untouched } from "../../src/features/delivering/alerts/incidents.ts";
import { insertSync } from "../../src/features/delivering/bigquery/sync-store.ts";
import { noteFindings } from "../../src/features/delivering/lens/insights/note-findings.ts";
import { insertDeliveries } from "../../src/features/delivering/webhooks/deliveries/deliveries-store.ts";
import { newDelivery } from "../../src/features/delivering/webhooks/deliveries/new-delivery.ts";
import { uuid } from "../../src/platform/lib/ids.ts";
import type { Headers } from "./access-people.ts";
import { appTokens } from "./app-token.ts";
import { formOf } from "./import-site.ts";
import type { Operation } from "./operations.ts";
import type { TestApp } from "./test-app.ts";

/** Ids of one tenant, by the path that they belong to. */
export type Targets = Readonly<Record<string, Readonly<Record<string, string>>>>;

interface Tenant {
	readonly headers: Headers;
	readonly site: string;
	/** Slug. */
	readonly organization: string;
	/** Of somebody in the organization. */
	readonly userId: number;
}

/** Settings for a tenant with one resource of each kind: an older service that is never called. */
export const targetEnv = { LEGACY_API_URL: "http://127.0.0.1:9" };

/** One of each thing that a tenant can have, made over HTTP; answers their ids. */
export async function accessTargets(app: TestApp, { headers, site, organization, userId }: Tenant): Promise<Targets> {
	const create = async (url: string, payload: object) => {
		const response = await app.inject({ method: "POST", url: `/api/v1${url}`, headers: { ...headers }, payload });
		if (response.statusCode !== 201) throw new Error(`${url}: ${response.body}`);
		const body = response.json();
		const data = body.data ?? body;
		return String(data.id ?? data.invitation_id);
	};
	const account = `account_id=${site}`;
	const email = `guest@${site}.example`;
	const sessions = await app.inject({ method: "GET", url: "/api/v1/auth/sessions", headers: { ...headers } });
	await appTokens(app, { headers, site });
	const connections = await app.inject({ url: "/api/v1/oauth/connections", headers: { ...headers } });
	await create(`/sites/${site}/domains`, { domain: `${site}.example` });
	return {
		"/sites": { id: site, domain: `${site}.example`, custom_param: "src", user_id: String(userId) },
		"/sites/{id}/utm-mappings": {
			id: site,
			mapping_id: await create(`/sites/${site}/utm-mappings`, { custom_param: "src", maps_to: "utm_source" }),
		},
		"/sites/{id}/data-deletions": {
			id: site,
			deletion_id: await aDeletion(app, headers, site),
		},
		"/exports": await anExport(app, headers, account),
		"/imports": { import_id: await anImport(app, headers, account) },
		"/migration/accounts": { id: site },
		"/migration/jobs": { job_id: await aMigration(app, headers, site) },
		"/integrations/bigquery": { log_id: await aSync(app, site) },
		"/segments": {
			id: await create(`/segments?${account}`, {
				name: "buyers",
				display_name: "Buyers",
				filters: { conditions: [{ field: "country", operator: "eq", value: "ES" }] },
			}),
		},
		"/annotations": { id: await create(`/annotations?${account}`, { date: "2026-11-20", text: "New prices" }) },
		"/saved-views": {
			id: await create(`/saved-views?${account}`, {
				kind: "funnel",
				name: "Checkout",
				definition: { view: ["page:/"] },
				is_shared: true,
			}),
		},
		"/channel-groups": {
			rule_id: await create(`/channel-groups?${account}`, { channel_name: "Ours", source_pattern: "ours" }),
		},
		"/passthrough-referrers": {
			referrer_id: await create(`/passthrough-referrers?${account}`, { domain: "pay.example", utm_source: "pay" }),
		},
		"/referrer-mappings": {
			mapping_id: await create(`/referrer-mappings?${account}`, {
				referrer_pattern: "news.example",
				match_type: "exact",
				utm_source: "news",
			}),
		},
		"/assistant/conversations": { conversation_id: await aConversation(app, headers, site) },
		"/alerts/rules": { id: await create(`/alerts/rules?${account}`, { name: "Spike" }) },
		"/alerts/history": { alert_id: await anAlert(app, site) },
		"/lens/insights": { id: await anInsight(app, site) },
		"/lens/reports": { id: await create(`/lens/reports/generate?${account}`, { report_type: "weekly" }) },
		"/lens/reports/latest": { type: "weekly" },
		"/mail-reports": {
			id: await create(`/mail-reports?${account}`, { frequency: "weekly", recipients: [email] }),
		},
		"/sites/{id}/share-links": {
			id: site,
			link_id: await create(`/sites/${site}/share-links`, { name: "For others" }),
		},
		"/share": { token: "x".repeat(43) },
		"/ip-allowlist": { id: await create(`/ip-allowlist/patterns?${account}`, { pattern: "192.0.2.1" }) },
		"/webhooks": await webhookTargets(app, await create(`/webhooks?${account}`, hookAt(site))),
		"/blocklist-ips": { entry_id: await create(`/blocklist-ips?${account}`, { ip_or_cidr: "192.0.2.9" }) },
		"/api-tokens": { token_id: await create("/api-tokens", { name: "reports" }) },
		"/auth/sessions": { session_id: sessions.json().data.sessions[0].id },
		"/oauth/connections": { grant_id: connections.json().data[0].grant_id },
		"/organizations": { slug: organization, user_id: String(userId), site_id: site },
		"/organizations/{slug}/invitations": {
			slug: organization,
			id: await create(`/organizations/${organization}/invitations`, { email }),
		},
		"/admin/organizations": { slug: organization },
		"/billing": { org_id: await organizationId(app, headers, organization) },
		"/users": { user_id: String(userId) },
		"/invitations": { token: "x".repeat(43) },
		"/stats/microconversions": { type: "signup" },
	};
}

/** An alert on figures that were never counted. */
async function anInsight(app: TestApp, site: string): Promise<string> {
	const finding = {
		rule: "traffic_drop",
		entity: null,
		severity: "red",
		unit: "count",
		value: 500,
		baseline: 1000,
		change: -50,
		threshold: 20,
		confidence: "high",
		sample: { days: 14, events: 1500, conversions: null },
		interval: null,
		baselineInterval: null,
		impact: null,
		other: null,
	} as const;
	const days = {
		now: { start: "2026-11-14", end: "2026-11-20" },
		before: { start: "2026-11-07", end: "2026-11-13" },
	};
	const found = { siteId: site, findings: [finding], days, nowMs: app.clock.now() };
	const [id = ""] = await noteFindings(app.metadata, found);
	return id;
}

/** Of days on which nothing was counted. */
async function aDeletion(app: TestApp, headers: Headers, site: string): Promise<string> {
	const payload = { confirm: site, to: "2020-01-01" };
	const url = `/api/v1/sites/${site}/data`;
	const response = await app.inject({ method: "DELETE", url, headers: { ...headers }, payload });
	return String(response.json().data.id);
}

/** A file of a few rows, which is complete at once. */
async function anExport(app: TestApp, headers: Headers, account: string): Promise<Record<string, string>> {
	const payload = { export_type: "pages", date_from: "2026-11-01", date_to: "2026-11-02" };
	const request = { method: "POST", url: `/api/v1/exports?${account}`, headers: { ...headers }, payload } as const;
	const { job } = (await app.inject(request)).json();
	return { job_id: job.job_id, download_token: new URL(job.download_url).pathname.split("/").at(-1) ?? "" };
}

/** A log of one line, of which nobody has asked for the rows. */
async function anImport(app: TestApp, headers: Headers, account: string): Promise<string> {
	const bytes = `192.0.2.1 - - [10/Nov/2026:10:00:00 +0000] "GET /${account} HTTP/1.1" 200 1 "-" "Firefox"`;
	const form = formOf({ source: "access_log" }, { bytes });
	const url = `/api/v1/imports?${account}`;
	const answer = await app.inject({
		method: "POST",
		url,
		payload: form.payload,
		headers: { ...headers, ...form.headers },
	});
	return answer.json().data.import_id;
}

/** A migration job that has not begun. */
async function aMigration(app: TestApp, headers: Headers, site: string): Promise<string> {
	const payload = {
		v1_email: "ann@example.com",
		v1_password: "x",
		v1_account_id: "a1",
		date_from: "2026-01-01",
		date_to: "2026-01-02",
	};
	const url = `/api/v1/migration/accounts/${site}/jobs`;
	const answer = await app.inject({ method: "POST", url, payload, headers: { ...headers } });
	return String(answer.json().data.job_id);
}

/** One that asks no model. */
async function aConversation(app: TestApp, headers: Headers, site: string): Promise<string> {
	const me = await app.inject({ url: "/api/v1/users/me", headers: { ...headers } });
	const nowMs = app.clock.now();
	const row = { id: uuid(), site_id: site, user_id: Number(me.json().data.id), title: "How many?" };
	await insertConversation(app.metadata, { ...row, created_at: nowMs, updated_at: nowMs });
	return row.id;
}

/** Something that an alert rule found; no request can make it. */
async function anAlert({ metadata, clock }: TestApp, site: string): Promise<string> {
	const nowMs = clock.now();
	const row = await insertAlert(metadata, {
		...untouched,
		rule_id: 2_000_000_000,
		rule_name: "Gone",
		site_id: site,
		alert_type: "traffic_drop",
		metric: "pageviews",
		severity: "warning",
		current_value: 1,
		baseline_value: 4,
		expected_value: 4,
		change_percentage: -75,
		context: null,
		period_start: nowMs,
		period_end: nowMs,
		triggered_at: nowMs,
		status: "active",
	});
	return String(row?.id);
}

/** A sync with BigQuery that failed; no request can make it without Google. */
async function aSync({ metadata, clock }: TestApp, site: string): Promise<string> {
	const row = await insertSync(metadata, {
		sync_id: uuid(),
		site_id: site,
		running_site_id: null,
		sync_type: "incremental",
		date_from: "2026-11-20",
		date_to: "2026-11-21",
		data_types: '["traffic"]',
		chunks: '[{"from":"2026-11-20","to":"2026-11-21"}]',
		chunks_done: 0,
		failed_chunks: '[{"from":"2026-11-20","to":"2026-11-21","error":"Access Denied"}]',
		tables_synced: "{}",
		status: "failed",
		error_message: "Access Denied",
		started_at: clock.now(),
		completed_at: clock.now(),
	});
	return String(row.id);
}

const hookAt = (site: string) => ({
	name: "Hook",
	url: `https://hooks.${site}.example/`,
	event_types: ["export.failed"],
});

async function organizationId(app: TestApp, headers: Headers, slug: string): Promise<string> {
	const response = await app.inject({ url: `/api/v1/organizations/${slug}`, headers: { ...headers } });
	return response.json().data.id;
}

/** A delivery of the endpoint, as if an event had been announced. */
async function webhookTargets(app: TestApp, endpointId: string) {
	const told = {
		endpoint_id: endpointId,
		event_id: "e1",
		event_type: "export.failed",
		payload: '{"data":{}}',
	} as const;
	const [delivery] = await insertDeliveries(app.metadata, [newDelivery(told, app.clock.now())]);
	if (delivery === undefined) throw new Error("no delivery was stored");
	return { endpoint_id: endpointId, delivery_id: delivery.delivery_id };
}

/** Ids that nothing has. */
export const unknownIds: Readonly<Record<string, string>> = {
	id: "2147483646",
	alert_id: "2147483646",
	mapping_id: "2147483646",
	rule_id: "2147483646",
	referrer_id: "2147483646",
	entry_id: "2147483646",
	token_id: "2147483646",
	user_id: "2147483646",
	job_id: "22222222-2222-4222-8222-222222222222",
	import_id: "22222222-2222-4222-8222-222222222222",
	download_token: "y".repeat(43),
	session_id: "00000000-0000-4000-8000-000000000000",
	endpoint_id: "00000000-0000-4000-8000-000000000000",
	delivery_id: "00000000-0000-4000-8000-000000000000",
	deletion_id: "2147483646",
	log_id: "2147483646",
	domain: "unknown.example",
	custom_param: "unknown",
	site_id: "unknown",
	grant_id: "00000000-0000-4000-8000-000000000000",
	request_id: "unknown",
	conversation_id: "00000000-0000-4000-8000-000000000000",
	slug: "unknown",
};

/** The ids that belong into the path and query of a route. */
export function targetsOf(operation: Operation, targets: Targets): Readonly<Record<string, string>> {
	const path = operation.path.replace("/api/v1", "");
	const fitting = Object.keys(targets)
		.filter((prefix) => path.startsWith(prefix))
		.sort((a, b) => a.length - b.length);
	return Object.assign({}, ...fitting.map((prefix) => targets[prefix]));
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
