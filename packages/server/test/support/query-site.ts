import { createSite, type Session, signIn } from "./accounts.ts";
import { pageviewRow } from "./event-rows.ts";
import { insertRows } from "./oracle-app.ts";
import { type TestApp, testApp } from "./test-app.ts";

const at = (date: string, hour: number) => ({ ts: Date.parse(`${date}T10:00:00Z`), site: "shop", date, hour });
const google = {
	utm_source: "google",
	utm_medium: "organic",
	country: "ES",
	device: "mobile",
	channel: "Organic Search",
} as const;
const letter = { utm_source: "newsletter", utm_medium: "email", country: "PT", channel: "" } as const;
const sale = { page_view: 0, conversion: 1, kind: "conversion" } as const;

const rows = [
	pageviewRow({ ...at("2026-11-20", 9), ...google, entrance: 1 }),
	pageviewRow({ ...at("2026-11-20", 9), ...google, kind: "engaged", page_view: 0, engaged: 1 }),
	pageviewRow({ ...at("2026-11-20", 9), ...google, path: "/cart" }),
	pageviewRow({ ...at("2026-11-20", 10), ...google, ...sale, revenue: 10 }),
	pageviewRow({ ...at("2026-11-20", 10), kind: "item", page_view: 0, utm_source: "items-only" }),
	pageviewRow({ ...at("2026-11-21", 0), ...letter, entrance: 1 }),
	pageviewRow({ ...at("2026-11-21", 1), ...letter, ...sale, revenue: 10.01 }),
	pageviewRow({ ...at("2026-11-19", 1), ...google, entrance: 1 }),
	pageviewRow({ ...at("2025-11-20", 1), ...letter, entrance: 1 }),
];

/** The days that hold most of the rows: a Friday and a Saturday. */
export const days = { date_from: "2026-11-20", date_to: "2026-11-21" };

interface Post {
	readonly path?: "/stats/query" | "/stats/query/export";
	/** Query string. */
	readonly query?: string;
	readonly headers?: Readonly<Record<string, string>>;
}

/** The service with two sites of `ann`: `shop` with a few visits, `empty` without any. */
export interface QuerySite {
	readonly app: TestApp;
	readonly ann: Session;
	/** Asks a query about `shop`, unless told otherwise. */
	post(body: object, options?: Post): ReturnType<TestApp["inject"]>;
}

/** Opens it. */
export async function openQuerySite(): Promise<QuerySite> {
	const app = await testApp();
	const ann = await signIn(app);
	await createSite(app, ann, { timezone: "Europe/Madrid" });
	await createSite(app, ann, { name: "Empty", domains: ["empty.example"] });
	await insertRows(app.eventStore, rows);
	return {
		app,
		ann,
		post: (payload, { path = "/stats/query", query = "site_id=shop", headers = ann.headers } = {}) =>
			app.inject({ method: "POST", url: `/api/v1${path}?${query}`, headers, payload }),
	};
}
