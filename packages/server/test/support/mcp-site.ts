import type { EventRow } from "../../src/analytics/model/event-row.ts";
import { createSite, signIn } from "./accounts.ts";
import { pageviewRow } from "./event-rows.ts";
import { newKey } from "./mcp-client.ts";
import { insertRows } from "./oracle-app.ts";
import { testApp } from "./test-app.ts";

const at = (time: string, date = "2026-11-20") => ({ site: "shop", date, ts: Date.parse(`${date}T${time}Z`) });
const searched = { utm_source: "google", utm_medium: "organic", channel: "Organic Search" } as const;
const onPhone = { country: "ES", device: "mobile", browser: "Safari", os: "iOS" } as const;
const google = { ...searched, ...onPhone, referrer: "google.com", session: String(2 ** 17 + 1) } as const;
const campaign = { utm_campaign: "launch", utm_term: "shoes", utm_content: "top" } as const;
const mailed = { utm_source: "news", utm_medium: "email", channel: "Email", country: "PT" } as const;
const letter = { ...mailed, ...campaign, landing_path: "/sale", session: String(2 ** 18 + 2) } as const;
const event = (kind: "microconversion" | "conversion", event_type: string, more: Partial<EventRow>) =>
	({ kind, event_type, page_view: 0, [kind]: 1, ...more }) as const;

/** Somebody from a search engine who buys, somebody from a newsletter; and a visit the day before. */
const rows = [
	pageviewRow({ ...at("10:00:00"), ...google, entrance: 1 }),
	pageviewRow({ ...at("10:00:00"), ...google, kind: "engaged", page_view: 0, engaged: 1 }),
	pageviewRow({ ...at("10:01:00"), ...google, path: "/cart" }),
	pageviewRow({ ...at("10:02:00"), ...google, ...event("microconversion", "add", { properties: { size: "L" } }) }),
	pageviewRow({
		...at("10:03:00"),
		...google,
		...event("conversion", "purchase", { amount: 12.5, revenue: 12.5, properties: { coupon: "autumn" } }),
	}),
	pageviewRow({ ...at("11:00:00"), ...letter, path: "/sale", entrance: 1 }),
	pageviewRow({ ...at("09:00:00", "2026-11-19"), ...google, entrance: 1 }),
	pageviewRow({ ...at("10:00:00"), site: "other", entrance: 1, utm_source: "secret" }),
];

/** The service with the site `shop` of `ann`, who has a key that opens reports, and the site `other` of `bob`. */
export async function openMcpSite(options: Parameters<typeof testApp>[0] = {}) {
	const app = await testApp(options);
	const ann = await signIn(app);
	const bob = await signIn(app, { email: "bob@example.com", name: "Bob" });
	await createSite(app, ann, { timezone: "Europe/Madrid" });
	await createSite(app, bob, { name: "Other", domains: ["other.example"] });
	await insertRows(app.eventStore, rows);
	return { app, ann, bob, key: await newKey(app, ann) };
}
