import { type Caller, type Guard, roleReaches, type SiteRole, writingAccount } from "../../../../access/index.ts";
import { presentRow } from "../../../../platform/http/present-row.ts";
import type { RouteLimit } from "../../../../platform/http/rate-limit/route-limit.ts";
import { HOUR_MS } from "../../../../platform/lib/durations.ts";
import type { ServerSecrets } from "../../../../platform/lib/sealer.ts";
import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import { deliveryFigures, webhookDeliveries } from "../deliveries/deliveries-store.ts";
import { type AttemptRow, type DeliveryRow, type EndpointRow, subscribedTo, type WebhookDeps } from "../deps.ts";
import { Attempt, DeliverySummary, Endpoint, Failure } from "./schemas.ts";
import { shownHeaders } from "./sealed-values.ts";

/** Stands where a reader does not get to see something. */
const HIDDEN = "[hidden]";

/** An address without what follows its path, which is often a credential. */
export function withoutQuery(url: string): string {
	const end = url.search(/[?#]/);
	return end === -1 ? url : `${url.slice(0, end)}?${HIDDEN}`;
}

/** Data of an event without the token of the link to an export's file. */
function withoutLink(data: Readonly<Record<string, unknown>>): Record<string, unknown> {
	const { download_url: link } = data;
	if (typeof link !== "string") return data;
	const shown = link.replace(/(\/exports\/download\/)[^/?#]+/, `$1${HIDDEN}`);
	return { ...data, download_url: shown === link ? HIDDEN : shown };
}

const RECENT_FAILURES = 10;

const MAX_PAYLOAD_BYTES = 10_240;

interface Reading {
	/** Whether the caller may change the endpoint, and so sees where it leads and what it sends along. */
	readonly mayChange: boolean;
	/** Whether the caller may read exports of the site, and so sees the links to their files. */
	readonly mayExport: boolean;
}

interface Viewing extends Reading, ServerSecrets {
	readonly nowMs: number;
}

export function presentEndpoint(row: EndpointRow, viewing: Viewing) {
	const { previous_secret_expires_at: previousEnd } = row;
	return {
		...presentRow(Endpoint, row),
		account_id: row.site_id,
		url: shownUrl(row.url, viewing),
		event_types: subscribedTo(row),
		headers: presentHeaders(row, viewing),
		previous_secret_expires_at: previousEnd !== null && previousEnd > viewing.nowMs ? timestamp(previousEnd) : null,
	};
}

/** The values of headers are often credentials. */
function presentHeaders(row: EndpointRow, viewing: Viewing): Record<string, string> {
	const headers = shownHeaders(viewing, row);
	return viewing.mayChange ? headers : Object.fromEntries(Object.keys(headers).map((name) => [name, HIDDEN]));
}

const shownUrl = (url: string, { mayChange }: Reading): string => (mayChange ? url : withoutQuery(url));

/** Redirects often lead to the same query at another address. */
function presentResponseHeaders(row: DeliveryRow, reading: Reading): Record<string, string> {
	const { location, ...headers } = JSON.parse(row.response_headers) as Record<string, string>;
	return location === undefined ? headers : { ...headers, location: shownUrl(location, reading) };
}

export const presentDelivery = (row: DeliveryRow, reading: Reading) => ({
	...presentRow(DeliverySummary, row),
	response_headers: presentResponseHeaders(row, reading),
});

export function presentWholeDelivery(row: DeliveryRow, reading: Reading) {
	const { data, ...envelope } = JSON.parse(row.payload) as { data: Record<string, unknown> };
	const isShown = row.payload_size_bytes <= MAX_PAYLOAD_BYTES;
	return {
		...presentDelivery(row, reading),
		payload: { ...envelope, ...(isShown && { data: reading.mayExport ? data : withoutLink(data) }) },
		response_body: row.response_body,
	};
}

export const presentAttempt = (row: AttemptRow, deliveryId: string, reading: Reading) => ({
	...presentRow(Attempt, row),
	delivery_id: deliveryId,
	request_method: "POST",
	request_url: shownUrl(row.request_url, reading),
	success: row.error_type === null,
});

const round = (value: number) => Math.round(value * 100) / 100;

/** Health of an endpoint in the last hours. */
export async function presentStats(metadata: Metadata, endpoint: EndpointRow, hours: number, viewing: Viewing) {
	const sinceMs = viewing.nowMs - hours * HOUR_MS;
	const { total, successful, failed, averageMs } = await deliveryFigures(metadata, endpoint.id, sinceMs);
	const recent = { endpoint_id: endpoint.id, status: "failed", created_at: { ">": sinceMs } } as const;
	const latest = { limit: RECENT_FAILURES, offset: 0 };
	const failures = await webhookDeliveries.page(metadata, recent, ["id desc"], latest);
	const ended = successful + failed;
	return {
		endpoint: presentEndpoint(endpoint, viewing),
		stats: {
			total_deliveries: total,
			successful,
			failed,
			pending: total - ended,
			success_rate: ended === 0 ? 0 : round((successful / ended) * 100),
			avg_response_time_ms: round(averageMs),
		},
		recent_failures: failures.rows.map((row) => presentRow(Failure, row)),
	};
}

const site = { kind: "site", siteFrom: "account" } as const;
export const reader: Guard = { ...site, keyScope: "accounts:read", role: "viewer", write: false };
export const writer = writingAccount("editor");

export const limitOfSite = (name: string, max: number, windowMs: number): RouteLimit => ({
	...{ name, max, windowMs },
	by: (request) => request.site.id,
});

interface Asking {
	readonly caller: Caller;
	readonly site: { readonly role: SiteRole };
}

/** Parts that the caller may see; exports are open to all readers of a site, and to keys with `stats:read`. */
export const readingOf = ({ caller, site }: Asking): Reading => ({
	mayChange: caller.kind === "session" && roleReaches(site.role, "editor"),
	mayExport: caller.kind === "session" || (caller.kind === "key" && caller.scopes.includes("stats:read")),
});

export const viewingOf = (deps: WebhookDeps, asking: Asking): Viewing => ({
	secretKey: deps.secretKey,
	secretKeyPrevious: deps.secretKeyPrevious,
	nowMs: deps.clock.now(),
	...readingOf(asking),
});
