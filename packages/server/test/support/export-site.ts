import { readdirSync } from "node:fs";
import { join } from "node:path";
import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { createSite, signIn } from "./accounts.ts";
import { pageviewRow } from "./event-rows.ts";
import { insertRows } from "./oracle-app.ts";
import { dataOf, requestOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

const at = (date: string, hour: number, minute = 0) => ({
	ts: Date.parse(`${date}T${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}:00Z`),
	site: "shop",
	date,
	hour,
});
const google = { utm_source: "google", utm_medium: "organic", country: "ES", device: "mobile" } as const;
const sale = { kind: "conversion", page_view: 0, conversion: 1, event_type: "purchase" } as const;
const formula = {
	utm_source: "=cmd|'/c calc'!A1",
	utm_medium: "a,b",
	country: "Unknown",
	browser: 'The "best"',
} as const;
const engaged = { kind: "engaged", page_view: 0, entrance: 0, engaged: 1 } as const;
const home = { content_group: "Home", entrance: 1 };
const first = { ...sale, amount: 12.5, revenue: 12.5, properties: { sku: "A,1", note: 'say "hi"' } };
const signup = { kind: "microconversion", page_view: 0, microconversion: 1, event_type: "signup" } as const;

const rows: readonly EventRow[] = [
	pageviewRow({ ...at("2026-11-19", 9), ...google, ...home }),
	pageviewRow({ ...at("2026-11-19", 9, 1), ...google, ...home, ...engaged }),
	pageviewRow({ ...at("2026-11-19", 9, 2), ...google, path: "/cart" }),
	pageviewRow({ ...at("2026-11-19", 9, 3), ...google, ...first }),
	pageviewRow({ ...at("2026-11-21", 10), ...google, ...home }),
	pageviewRow({ ...at("2026-11-21", 10), ...formula, ...home }),
	pageviewRow({ ...at("2026-11-21", 11), ...formula, ...signup, properties: { plan: "ünïcode\\" } }),
	pageviewRow({ ...at("2026-11-21", 12), ...formula, ...sale, amount: -3, revenue: -3 }),
	// Another site's, and a day outside of what the tests ask for.
	pageviewRow({ ...at("2026-11-19", 9), ...sale, site: "empty", amount: 99, revenue: 99 }),
	pageviewRow({ ...at("2026-10-01", 9), ...google, ...sale, amount: 1, revenue: 1 }),
];

export const days = { date_from: "2026-11-19", date_to: "2026-11-21" };

/** Two sites of `ann` in one organization, `shop` with a few visits. */
export type ExportSite = Awaited<ReturnType<typeof exportSite>>;

interface CallOptions {
	readonly headers?: Readonly<Record<string, string>>;
	/** In place of `account_id=shop`. */
	readonly query?: string;
}

export interface Job {
	readonly [field: string]: unknown;
	readonly job_id: string;
	readonly status: string;
	readonly download_url: string;
}

/** Names of the stored files of a service. */
export function filesBelow(dataDir: string): readonly string[] {
	try {
		return readdirSync(join(dataDir, "exports"));
	} catch {
		return [];
	}
}

/** Adds conversions to a site, each of another visit. */
export const addOrders = ({ eventStore }: TestApp, site: string, count: number, day = "2026-11-20"): Promise<unknown> =>
	eventStore.command(
		`INSERT INTO events (site, date, hour, ts, session, kind, event_type, conversion, amount, revenue, properties)
		SELECT '${site}', '${day}', 12, toDateTime64('${day} 12:00:00', 3, 'UTC') + number / 1000, number + 1, 'conversion',
			'order', 1, number, number, map('n', toString(number)) FROM numbers(${count})`,
	);

export async function exportSite(app: TestApp) {
	const ann = await signIn(app);
	await createSite(app, ann);
	await createSite(app, ann, { name: "Empty", domains: ["empty.example"] });
	await insertRows(app.eventStore, rows);
	const call = (route: string, body?: object, { headers = ann.headers, query = "account_id=shop" }: CallOptions = {}) =>
		app.inject(requestOf(route, { headers, body, query }));
	return {
		app,
		ann,
		/** A call as `POST /exports`, below the version prefix, about `shop`. */
		call,
		/** Creates an export that must be accepted; its job. */
		create: async (body: object): Promise<Job> =>
			(await dataOf(app, "POST /exports?account_id=shop", { headers: ann.headers, body: { ...days, ...body } })).job,
		job: async (jobId: string): Promise<Job> => (await call(`GET /exports/${jobId}`)).json(),
		/** The file behind a job's link. */
		download: (job: Job) => app.inject({ method: "GET", url: job.download_url.replace(/^http:\/\/[^/]+/, "") }),
		addConversions: (count: number, day?: string) => addOrders(app, "shop", count, day),
	};
}
