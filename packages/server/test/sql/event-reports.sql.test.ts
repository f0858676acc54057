import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { InjectOptions } from "fastify";
import { registerAggregateStats } from "../../src/features/reporting/stats/index.ts";
import type { App } from "../../src/platform/http/app.ts";
import { systemClock } from "../../src/platform/lib/clock.ts";
import { openOracleStore, oracleApp } from "../support/oracle-app.ts";
import { NOW } from "../support/oracle-data.ts";
import { assertSnapshot, recordingStore } from "../support/sql-snapshots.ts";

const shop = { id: "shop", timezone: "Europe/Madrid" };
const store2 = { id: "store", timezone: "UTC" };
const sites = new Map([shop, store2].map((site) => [site.id, site]));
const across = "account_ids=shop&account_ids=store&period=30d";

/** Each snapshot with the request whose SQL it holds: an address, or that of the step funnel with its steps. */
const requests: Readonly<Record<string, string | readonly [string, readonly string[]]>> = {
	"raw-conversions": "/stats/conversions/raw?site_id=shop&period=7d&clid=a&clid=b&conversion_type=purchase",
	"raw-microconversions": "/stats/microconversions/raw?site_id=shop&period=7d&landing_page=/a&page=3",
	"raw-items": "/stats/conversion-items/raw?site_id=shop&period=7d",
	"funnel-sources": "/stats/funnel?site_id=shop&period=12m&country=ES",
	"funnel-steps": [
		"/stats/funnel?site_id=shop&period=12m&utm_source=google",
		["/", "/shop/*", "add_to_cart", "x' OR 1=1 --"],
	],
	"property-keys": "/stats/properties/keys?site_id=shop&period=30d",
	"property-keys-items": "/stats/properties/keys?site_id=shop&period=30d&table=conversion_items",
	"property-values": "/stats/properties/values?site_id=shop&period=30d&property_key=plan&group_by=all&page=2",
	"property-breakdown": "/stats/properties/breakdown?site_id=shop&period=30d&property_key=sku&table=conversion_items",
	"exit-pages": "/stats/exit-pages?site_id=shop&period=30d",
	"exit-pages-compare-elapsed":
		"/stats/exit-pages?site_id=shop&period=this_week&compare=previous&compare_align=elapsed&country=ES&search=cart&sort_by=exit_rate&page=2",
	"aggregate-overview": `/stats/aggregate/overview?${across}&compare=previous`,
	"aggregate-sources": `/stats/aggregate/sources?${across}&sort_by=bounce_rate`,
	"aggregate-pages": `/stats/aggregate/pages?${across}&country=ES`,
	"aggregate-devices": `/stats/aggregate/devices?${across}`,
};

let recorder: ReturnType<typeof recordingStore> | undefined;
let app: App | undefined;

before(async () => {
	const real = await openOracleStore();
	// Enough rows that the engine finds a projection worth reading.
	await real.command(`
		INSERT INTO events (site, date, hour, ts, session, kind, path, landing_path, utm_source, country, device, entrance, page_view)
		SELECT if(number % 2 = 0, 'shop', 'store'), toDate('2025-10-01') + number % 420, number % 24, now64(3), number,
			'pageview', '/p' || number % 20, '/p' || number % 10, 's' || number % 5, 'ES', 'mobile', number % 3 = 0, 1
		FROM numbers(200000)`);
	await real.command("OPTIMIZE TABLE events FINAL");
	recorder = recordingStore(real);
	app = await oracleApp(recorder.store, sites);
	registerAggregateStats(app, {
		eventStore: recorder.store,
		clock: { ...systemClock, now: () => NOW },
		segments: async () => undefined,
		sites: { get: (id) => sites.get(id) as never },
	});
});

after(async () => {
	await app?.close();
	await recorder?.store.close();
});

for (const [name, request] of Object.entries(requests)) {
	test(`the SQL of ${name} is the committed text`, async () => {
		assert.ok(app && recorder);
		recorder.taken();
		const [url, steps] = typeof request === "string" ? [request, undefined] : request;
		const call: InjectOptions = steps === undefined ? { url } : { method: "POST", url, payload: { steps } };
		const response = await app.inject(call);
		assert.equal(response.statusCode, 200, response.body);
		const title = `${call.method ?? "GET"} ${url}${steps === undefined ? "" : ` ${JSON.stringify(steps)}`}`;
		await assertSnapshot(recorder.store, { name, title, queries: recorder.taken() });
	});
}
