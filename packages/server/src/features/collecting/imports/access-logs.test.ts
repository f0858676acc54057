import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { sendHits } from "../../../../test/support/hits.ts";
import { CHROME, FIREFOX, importSite, line } from "../../../../test/support/import-site.ts";
import { oracleRuns } from "../../../../test/support/oracle-runs.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

test("JSON lines, hosts, gzip, zones, days of one's own and days that were not asked for", async () => {
	const { site, import: importLog, report } = await importSite(app, { timezone: "Europe/Madrid" });
	await sendHits(app, [{ site, url: "https://shop.example/own" }]);
	const at = Date.parse("2026-11-09T23:30:00Z") / 1000;
	const caddy = (ts: number, uri: string, host = "www.shop.example") => {
		const headers = { "User-Agent": [CHROME] };
		return JSON.stringify({ ts, status: 200, request: { client_ip: "192.0.2.1", method: "GET", host, uri, headers } });
	};
	const lines = [
		caddy(at, "/night"),
		caddy(at + 60, "/elsewhere", "other.example"),
		`shop.example:443 192.0.2.9 - - [10/Nov/2026:23:30:00 +0000] "GET /d%C3%A9j\\xC3\\xA0?x=\\"1\\" HTTP/2.0" 200 5 "https://news.example/a" "${FIREFOX}"`,
		`other.example 192.0.2.9 - - [10/Nov/2026:23:31:00 +0000] "GET / HTTP/2.0" 200 5 "-" "${FIREFOX}"`,
		JSON.stringify({
			...{ time_local: "12/Nov/2026:10:00:00 +0100", remote_addr: "2001:db8::1", request: "GET /nginx HTTP/1.1" },
			...{ status: "304", http_user_agent: FIREFOX },
		}),
		JSON.stringify({
			...{ when: "2026-11-13T10:00:00+01:00", ClientHost: "192.0.2.7", RequestMethod: "GET", RequestPath: "/t" },
			...{ OriginStatus: 200, "request_User-Agent": FIREFOX },
		}),
		line("192.0.2.8", "21/Nov/2026:10:00:00 +0100", "GET /overlap HTTP/1.1"),
		line("192.0.2.8", "31/Oct/2026:10:00:00 +0100", "GET /early HTTP/1.1"),
		'{"status": 200}',
		"{",
	];
	const packed = Buffer.concat([gzipSync(`${lines.slice(0, 4).join("\n")}\n`), gzipSync(lines.slice(4).join("\n"))]);
	const done = await importLog(packed, { date_from: "2026-11-01", column_map: '{"when":"time"}' });
	assert.equal(done.status, "completed", JSON.stringify(done));
	const other = "the host is other.example, which is no domain of the site";
	const reasons = done.report["skip_reasons"] as { reason: string; samples: string[] }[];
	assert.deepEqual(Object.fromEntries(reasons.map(({ reason, samples }) => [reason, samples])), {
		malformed: ["line 9: no field for time, address, method", "line 10: no JSON"],
		other_host: [`line 2: ${other}`, `line 4: ${other}`],
		out_of_range: ["line 8: 2026-10-31 is out of range"],
		overlap: ["line 7: the site has hits of its own on 2026-11-21"],
	});
	const days = done.report["by_day"] as { date: string; page_views: number }[];
	assert.deepEqual(
		days.map(({ date, page_views }) => `${date} ${page_views}`),
		["2026-11-10 1", "2026-11-11 1", "2026-11-12 1", "2026-11-13 1"],
	);
	const pages = (await report("/stats/pages?start_date=2026-11-01&end_date=2026-11-20")) as {
		data: { path: string }[];
	};
	assert.deepEqual(pages.data.map(({ path }) => path).sort(), ["/d%C3%A9j%C3%A0", "/nginx", "/night", "/t"]);
});

const requests = fc.array(
	fc.record({
		address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::3"),
		agent: fc.constantFrom(FIREFOX, CHROME),
		/** Minutes since the request before. */
		gap: fc.constantFrom(0, 1, 10, 29, 30, 31, 600),
		path: fc.constantFrom("/", "/a", "/b.html", "/c.css"),
		status: fc.constantFrom(200, 200, 204, 304, 301, 500),
		referrer: fc.constantFrom("-", "https://shop.example/", "https://www.google.com/", "https://news.example/x"),
		isBroken: fc.constantFrom(false, false, false, true),
	}),
	{ minLength: 1, maxLength: 120 },
);
type Drawn = typeof requests extends fc.Arbitrary<(infer One)[]> ? One : never;

const sourceOf = (referrer: string) =>
	referrer.includes("google") ? "google" : referrer.includes("news") ? "news.example" : "(direct)";

/** A log of the requests, and what a naive reading makes of it. */
function recompute(drawn: readonly Drawn[]) {
	let now = Date.parse("2026-10-01T22:00:00Z");
	const text: string[] = [];
	const live = new Map<string, { last: number; views: number; source: string; first: string }>();
	const sources = new Map<string, [entrances: number, views: number]>();
	const pages = new Map<string, number>();
	const totals = { entrances: 0, engaged_entrances: 0, page_views: 0 };
	for (const { address, agent, gap, path, status, referrer, isBroken } of drawn) {
		now += gap * 60_000;
		const stamp = new Date(now).toUTCString();
		const time = `${stamp.slice(5, 7)}/${stamp.slice(8, 11)}/${stamp.slice(12, 16)}:${stamp.slice(17, 25)} +0000`;
		text.push(isBroken ? "broken" : line(address, time, `GET ${path} HTTP/1.1`, status, referrer, agent));
		if (isBroken || path === "/c.css" || status === 301 || status === 500) continue;
		totals.page_views++;
		pages.set(path, (pages.get(path) ?? 0) + 1);
		const key = `${address} ${agent}`;
		const first = `${path} ${referrer}`;
		const before = live.get(key);
		const isLive = before !== undefined && now - before.last < 30 * 60_000;
		// The same page from the same foreign referrer is a reload.
		const goesOn = isLive && (sourceOf(referrer) === "(direct)" || before.first === first);
		const visit = goesOn ? before : { last: now, views: 0, source: sourceOf(referrer), first };
		live.set(key, visit);
		visit.last = now;
		visit.views++;
		if (visit.views === 1) totals.entrances++;
		if (visit.views === 2) totals.engaged_entrances++;
		const [entrances, views] = sources.get(visit.source) ?? [0, 0];
		sources.set(visit.source, [entrances + (visit.views === 1 ? 1 : 0), views + 1]);
	}
	return { text, sources, pages, totals };
}

test("reports of an import are those of a naive recomputation of its lines", async () => {
	let turn = 0;
	const property = fc.asyncProperty(requests, async (drawn) => {
		turn++;
		const shop = await importSite(app, { email: `ann-${turn}@example.com`, name: `Shop ${turn}` });
		const { text, sources, pages, totals } = recompute(drawn);
		text.push(line("192.0.2.200", "20/Nov/2026:10:00:00 +0000", "POST / HTTP/1.1"));
		const { status, report } = await shop.import(text.join("\n"));
		if (totals.page_views === 0 && status === "completed") return;
		assert.equal(status, "completed");
		const { rows_read, rows_accepted, rows_skipped } = report;
		const counts = [text.length, totals.page_views, text.length - totals.page_views];
		assert.deepEqual([rows_read, rows_accepted, rows_skipped], counts);
		assert.deepEqual(report["totals"], { ...totals, microconversions: 0, conversions: 0, revenue: 0 });
		const range = "start_date=2026-09-30&end_date=2026-11-20&page_size=100";
		const rows = async (name: string) =>
			((await shop.report(`/stats/${name}?${range}`)) as { data: Record<string, unknown>[] }).data;
		const { data } = (await shop.report(`/stats/overview?${range}`)) as { data: { traffic: typeof totals } };
		const { entrances, engaged_entrances, page_views } = data.traffic;
		assert.deepEqual({ entrances, engaged_entrances, page_views }, totals);
		assert.deepEqual(
			(await rows("sources")).map((row) => [row["utm_source"], row["entrances"], row["page_views"]]).sort(),
			[...sources].map(([source, sums]) => [source, ...sums]).sort(),
		);
		assert.deepEqual((await rows("pages")).map((row) => [row["path"], row["page_views"]]).sort(), [...pages].sort());
	});
	await fc.assert(property, oracleRuns(8));
});
