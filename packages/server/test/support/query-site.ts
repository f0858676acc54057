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

/** The service with sites of `ann`: `shop` with a few visits, and others without any. */
export interface QuerySite {
	readonly app: TestApp;
	readonly ann: Session;
	/** Asks a query about `shop`, unless told otherwise. */
	post(body: object, path?: string, query?: string): ReturnType<TestApp["inject"]>;
}

/** Opens it, with sites of these names beside `shop`. */
export async function openQuerySite(others: readonly string[] = []): Promise<QuerySite> {
	const app = await testApp();
	const ann = await signIn(app);
	await createSite(app, ann, { timezone: "Europe/Madrid" });
	for (const name of others) await createSite(app, ann, { name });
	await insertRows(app.eventStore, rows);
	const post: QuerySite["post"] = (payload, path = "/stats/query", query = "site_id=shop") =>
		app.inject({ method: "POST", url: `/api/v1${path}?${query}`, headers: ann.headers, payload });
	return { app, ann, post };
}
