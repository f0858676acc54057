import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import type { EventQuery, EventStore } from "../../src/platform/event-store/event-store.ts";
import type { App } from "../../src/platform/http/app.ts";
import { openOracleStore, oracleApp } from "../support/oracle-app.ts";

const site = { id: "shop", timezone: "Europe/Madrid" };
const days = { date_from: "2026-10-22", date_to: "2026-11-20" };

/** Each snapshot with the path and body of the request whose SQL it holds. */
const requests: Readonly<Record<string, readonly [string, object]>> = {
	"query-total": ["/stats/query", days],
	"query-hourly-compare": [
		"/stats/query",
		{ ...days, granularity: "hourly", dimensions: ["day_of_week", "country"], metrics: ["page_views"], compare: "yoy" },
	],
	"query-filters-order": [
		"/stats/query",
		{
			...days,
			dimensions: ["utm_source", "channel_group"],
			metrics: ["entrances", "engaged_entrances", "revenue"],
			filters: {
				country: ["es", "Unknown"],
				device_type_not: "Tablet",
				channel_group: "",
				utm_source_not: ["a'b", "{c:String}"],
				hour: [9, 10],
				day_of_week: 7,
			},
			order_by: [{ field: "bounce_rate" }, { field: "channel_group", direction: "asc" }],
			limit: 20,
			offset: 40,
		},
	],
	"query-export": ["/stats/query/export", { ...days, granularity: "daily", dimensions: ["os"], limit: 100_000 }],
};

let store: EventStore | undefined;
let app: App | undefined;
let asked: EventQuery[] = [];

before(async () => {
	const real = await openOracleStore();
	store = real;
	const recording: EventStore = {
		...real,
		query: (query) => {
			asked.push(query);
			return real.query(query);
		},
		stream: (query) => {
			asked.push(query);
			return real.stream(query);
		},
	};
	app = await oracleApp(recording, new Map([[site.id, site]]));
});

after(async () => {
	await app?.close();
	await store?.close();
});

for (const [name, [path, payload]] of Object.entries(requests)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		assert.ok(app);
		asked = [];
		const response = await app.inject({ method: "POST", url: `${path}?site_id=${site.id}`, payload });
		assert.equal(response.statusCode, 200, response.body);
		const texts = asked.map(({ sql, params = {}, settings = {} }) => {
			const bound = Object.entries({ ...params, ...settings }).map(
				([key, value]) => `-- ${key} = ${JSON.stringify(value)}`,
			);
			return [...bound, `${sql};`].join("\n");
		});
		const actual = `-- POST ${path}\n-- ${JSON.stringify(payload)}\n\n${texts.join("\n\n")}\n`;
		const file = join(import.meta.dirname, "reports", `${name}.sql`);
		if (process.env.UPDATE_SNAPSHOTS === "1") writeFileSync(file, actual);
		assert.equal(actual, readFileSync(file, "utf8"));
	});
}
