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
	const { site, upload, call, report } = await importSite(app, { timezone: "Europe/Madrid" });
	await sendHits(app, [{ site, url: "https://shop.example/own" }]);
	const caddy = (ts: number, uri: string, host = "www.shop.example") =>
		JSON.stringify({
			ts,
			status: 200,
			request: { client_ip: "192.0.2.1", method: "GET", host, uri, headers: { "User-Agent": [CHROME] } },
		});
	const at = Date.parse("2026-11-09T23:30:00Z") / 1000;
	const lines = [
		caddy(at, "/night"),
		caddy(at + 60, "/elsewhere", "other.example"),
		`shop.example:443 192.0.2.9 - - [10/Nov/2026:23:30:00 +0000] "GET /d%C3%A9j\\xC3\\xA0?x=\\"1\\" HTTP/2.0" 200 5 "https://news.example/a" "${FIREFOX}"`,
		`other.example 192.0.2.9 - - [10/Nov/2026:23:31:00 +0000] "GET / HTTP/2.0" 200 5 "-" "${FIREFOX}"`,
		JSON.stringify({
			time_local: "12/Nov/2026:10:00:00 +0100",
			remote_addr: "2001:db8::1",
			request: "GET /nginx HTTP/1.1",
			status: "304",
			http_user_agent: FIREFOX,
		}),
		JSON.stringify({
			when: "2026-11-13T10:00:00+01:00",
			ClientHost: "192.0.2.7",
			RequestMethod: "GET",
			RequestPath: "/t",
			OriginStatus: 200,
			"request_User-Agent": FIREFOX,
		}),
		line("192.0.2.8", "21/Nov/2026:10:00:00 +0100", "GET /overlap HTTP/1.1"),
		line("192.0.2.8", "31/Oct/2026:10:00:00 +0100", "GET /early HTTP/1.1"),
		'{"status": 200}',
		"{",
	];
	const packed = Buffer.concat([gzipSync(`${lines.slice(0, 4).join("\n")}\n`), gzipSync(lines.slice(4).join("\n"))]);
	const sent = await upload(packed, {
		dry_run: "false",
		date_from: "2026-11-01",
		column_map: JSON.stringify({ when: "time" }),
	});
	assert.equal(sent.statusCode, 201, sent.body);
	await app.jobs.runDue();
	const done = (await call(`GET /imports/${sent.json().data.import_id}`)).json().data;
	assert.equal(done.status, "completed", JSON.stringify(done));
	assert.deepEqual(done.report.skip_reasons, [
		{
			reason: "malformed",
			count: 2,
			sample_lines: [9, 10],
			samples: ["line 9: no field for time, address, method", "line 10: no JSON"],
		},
		{
			reason: "other_host",
			count: 2,
			sample_lines: [2, 4],
			samples: [2, 4].map((at) => `line ${at}: the host is other.example, which is no domain of the site`),
		},
		{ reason: "out_of_range", count: 1, sample_lines: [8], samples: ["line 8: 2026-10-31 is out of range"] },
		{
			reason: "overlap",
			count: 1,
			sample_lines: [7],
			samples: ["line 7: the site has hits of its own on 2026-11-21"],
		},
	]);
	assert.deepEqual(
		done.report.by_day.map(({ date, page_views }: { date: string; page_views: number }) => [date, page_views]),
		[
			["2026-11-10", 1],
			["2026-11-11", 1],
			["2026-11-12", 1],
			["2026-11-13", 1],
		],
	);
	const pages = (await report("/stats/pages?start_date=2026-11-01&end_date=2026-11-20")) as {
		data: { path: string }[];
	};
	assert.deepEqual(pages.data.map(({ path }) => path).sort(), ["/d%C3%A9j%C3%A0", "/nginx", "/night", "/t"]);
});

const visitors = fc.record({
	address: fc.constantFrom("192.0.2.1", "192.0.2.2", "2001:db8::3"),
	agent: fc.constantFrom(FIREFOX, CHROME),
	/** Minutes since the visit's hit before. */
	gap: fc.constantFrom(0, 1, 10, 29, 30, 31, 600),
	path: fc.constantFrom("/", "/a", "/b.html", "/c.css"),
	status: fc.constantFrom(200, 200, 204, 304, 301, 500),
	referrer: fc.constantFrom("-", "https://shop.example/", "https://www.google.com/", "https://news.example/x"),
	isBroken: fc.constantFrom(false, false, false, true),
});

test("reports of an import are those of a naive recomputation of its lines", async () => {
	let turn = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(visitors, { minLength: 1, maxLength: 120 }), async (requests) => {
			turn++;
			const shop = await importSite(app, { email: `ann-${turn}@example.com`, name: `Shop ${turn}` });
			let now = Date.parse("2026-10-01T22:00:00Z");
			const text: string[] = [];
			const expected = { read: 0, accepted: 0, malformed: 0, other: 0 };
			const live = new Map<string, { last: number; views: number; day: string; source: string; first: string }>();
			const days = new Map<string, { entrances: number; engaged: number; views: number }>();
			const sources = new Map<string, [number, number]>();
			const pages = new Map<string, number>();
			const day = (date: string) => {
				const found = days.get(date) ?? { entrances: 0, engaged: 0, views: 0 };
				days.set(date, found);
				return found;
			};
			for (const { address, agent, gap, path, status, referrer, isBroken } of requests) {
				now += gap * 60_000;
				const stamp = new Date(now).toUTCString();
				const time = `${stamp.slice(5, 7)}/${stamp.slice(8, 11)}/${stamp.slice(12, 16)}:${stamp.slice(17, 25)} +0000`;
				expected.read++;
				text.push(isBroken ? "broken" : line(address, time, `GET ${path} HTTP/1.1`, status, referrer, agent));
				if (isBroken) expected.malformed++;
				else if (path === "/c.css" || status === 301 || status === 500) expected.other++;
				if (isBroken || path === "/c.css" || status === 301 || status === 500) continue;
				expected.accepted++;
				const date = new Date(now).toISOString().slice(0, 10);
				day(date).views++;
				pages.set(path, (pages.get(path) ?? 0) + 1);
				const key = `${address} ${agent}`;
				const before = live.get(key);
				const isForeign = referrer.includes("google") || referrer.includes("news");
				const isLive = before !== undefined && now - before.last < 30 * 60_000;
				const source = referrer.includes("google") ? "google" : referrer.includes("news") ? "news.example" : "(direct)";
				// The same page from the same foreign referrer is a reload.
				const isReload = isLive && before.first === `${path} ${referrer}`;
				if (before !== undefined && isLive && (!isForeign || isReload)) {
					before.last = now;
					before.views++;
					if (before.views === 2) day(before.day).engaged++;
					const sums = sources.get(before.source) ?? [0, 0];
					sources.set(before.source, [sums[0], sums[1] + 1]);
					continue;
				}
				live.set(key, { last: now, views: 1, day: date, source, first: `${path} ${referrer}` });
				day(date).entrances++;
				const sums = sources.get(source) ?? [0, 0];
				sources.set(source, [sums[0] + 1, sums[1] + 1]);
			}
			text.push(line("192.0.2.200", "20/Nov/2026:10:00:00 +0000", "POST / HTTP/1.1"));
			const done = await shop.import(text.join("\n"));
			if (expected.accepted === 0 && done.status === "completed") return;
			assert.equal(done.status, "completed");
			const report = done.report as Record<string, never> & { totals: Record<string, number> };
			assert.deepEqual(
				[report["rows_read"], report["rows_accepted"], report["rows_skipped"]],
				[expected.read + 1, expected.accepted, expected.malformed + expected.other + 1],
			);
			const sum = (name: "entrances" | "engaged" | "views") =>
				[...days.values()].reduce((all, one) => all + one[name], 0);
			assert.deepEqual(
				[report.totals["entrances"], report.totals["engaged_entrances"], report.totals["page_views"]],
				[sum("entrances"), sum("engaged"), sum("views")],
			);
			const range = "start_date=2026-09-30&end_date=2026-11-20";
			const overview = (await shop.report(`/stats/overview?${range}`)) as {
				data: { traffic: Record<string, number>; entrances_series?: unknown };
			};
			assert.deepEqual(
				[overview.data.traffic["entrances"], overview.data.traffic["page_views"]],
				[sum("entrances"), sum("views")],
				JSON.stringify(overview.data.traffic),
			);
			const bySource = (await shop.report(`/stats/sources?${range}&page_size=100`)) as {
				data: Record<string, never>[];
			};
			assert.deepEqual(
				bySource.data.map((row) => [row["utm_source"], row["entrances"], row["page_views"]]).sort(),
				[...sources].map(([source, [entrances, views]]) => [source, entrances, views]).sort(),
			);
			const byPage = (await shop.report(`/stats/pages?${range}&page_size=100`)) as { data: Record<string, never>[] };
			assert.deepEqual(byPage.data.map((row) => [row["path"], row["page_views"]]).sort(), [...pages].sort());
		}),
		oracleRuns(8),
	);
});
