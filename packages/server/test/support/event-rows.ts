import type { EventRow } from "../../src/analytics/model/event-row.ts";

/** The dimensions of a visit that began at the home page, typed in by somebody in Spain with Firefox on Linux. */
export const directVisit = {
	referrer: "",
	landing_path: "/",
	landing_group: "",
	utm_source: "(direct)",
	utm_medium: "(none)",
	utm_campaign: "",
	utm_term: "",
	utm_content: "",
	country: "ES",
	device: "desktop",
	browser: "Firefox",
	os: "Linux",
	channel: "Direct",
	clid: "",
} as const;

/** A page view row with plain values; `date` and `hour` follow `ts` in UTC unless given. */
export function pageviewRow(values: Partial<EventRow> & { readonly ts: number }): EventRow {
	const instant = new Date(values.ts);
	return {
		site: "demo",
		date: instant.toISOString().slice(0, 10),
		hour: instant.getUTCHours(),
		session: "1",
		kind: "pageview",
		path: "/",
		content_group: "",
		...directVisit,
		event_type: "",
		properties: {},
		amount: 0,
		bot_score: 0,
		bot_flags: 0,
		import_id: "",
		entrance: 0,
		rejoined: 0,
		engaged: 0,
		page_view: 1,
		conversion: 0,
		microconversion: 0,
		revenue: 0,
		visit_seconds: 0,
		visitor: 0,
		...values,
	};
}
