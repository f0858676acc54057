import assert from "node:assert/strict";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import fc from "fast-check";
import { readImport } from "../../../../test/support/import-rows.ts";
import { CHROME, FIREFOX, line, logTime } from "../../../../test/support/import-site.ts";
import { oracleRuns } from "../../../../test/support/oracle-runs.ts";

/** Six visitors, three of whom only their addresses tell apart. */
const requests = [
	["203.0.113.40", "09:00:05", "/", "https://www.google.com/", CHROME],
	["203.0.113.40", "09:02:10", "/rugs", "https://shop.example/", CHROME],
	["198.51.100.23", "09:03:00", "/looms", "https://duckduckgo.com/", FIREFOX],
	["192.0.2.14", "09:03:30", "/", "-", CHROME],
	["203.0.113.40", "09:05:00", "/rugs/wool", "https://shop.example/rugs", CHROME],
	["2001:db8:40::3", "09:07:00", "/yarn?utm_source=letter&utm_medium=email", "-", FIREFOX],
	["198.51.100.23", "09:08:00", "/cart", "https://shop.example/looms", FIREFOX],
	["198.51.100.99", "09:09:00", "/looms", "https://forum.example/t/5", CHROME],
	["192.0.2.15", "09:09:30", "/rugs", "https://www.bing.com/", CHROME],
] as const;

/** `day` is `14/Sep/2026`. */
type Request = Readonly<Record<"address" | "day" | "date" | "time" | "path" | "referrer" | "agent", string>> & {
	readonly line: number;
};

const plain = ({ address, day, time, path, referrer, agent }: Request, start = address): string =>
	`${start} - - [${day}:${time} +0200] "GET ${path} HTTP/1.1" 200 7301 "${referrer}" "${agent}"`;
const json = ({ address, date, time, path, referrer, agent }: Request, more: object = {}): string =>
	JSON.stringify({
		time: `${date}T${time}+02:00`,
		remote_addr: address,
		...{ request: `GET ${path} HTTP/1.1`, status: 200, http_referer: referrer, http_user_agent: agent },
		...more,
	});
const bracketed = (address: string): string => (address.includes(":") ? `[${address}]` : address);

/** A log by the form of its lines. */
const forms: Readonly<Record<string, (request: Request, line: string, inJson: string) => string>> = {
	"the combined format": (_, line) => line,
	syslog: (request, line) => `Sep 14 ${request.time} edge-3 httpd[4711]: ${line}`,
	"syslog with a domain as machine": (request, line) => `Sep 14 ${request.time} edge-3.example ${line}`,
	"syslog from an address": (request, line) => `Sep 14 ${request.time} 10.0.0.7 nginx: ${line}`,
	"syslog of RFC 5424": (request, line) =>
		`<134>1 ${request.date}T${request.time}.003Z edge-3 nginx 4711 - [a@1 b="2"] \ufeff${line}`,
	journald: (request, line) => `${request.date}T${request.time}+0200 edge-3 nginx[7]: ${line}`,
	"journald in JSON": (_, line) => JSON.stringify({ _HOSTNAME: "edge-3", MESSAGE: line }),
	"Docker in JSON": (_, line) => JSON.stringify({ log: `${line}\n`, stream: "stdout", time: "2026-09-01T00:00:00.7Z" }),
	"Docker in JSON around JSON": (_, __, inJson) => JSON.stringify({ log: `${inJson}\n`, time: "2026-09-01T00:00:00Z" }),
	"Docker Compose": (_, line) => `web-1  | ${line}`,
	Kubernetes: (_, line) => `[pod/web-5d4/nginx] ${line}`,
	containerd: (_, line) => `2026-09-01T00:00:00.700000001Z stdout F ${line}`,
	"containerd around JSON": (_, __, inJson) => `2026-09-01T00:00:00.700000001Z stdout F ${inJson}`,
	"Filebeat in JSON": (_, line) =>
		JSON.stringify({ "@timestamp": "2026-09-01T00:00:00Z", host: { name: "edge-3" }, message: line }),
	"Cloud Logging around JSON": (_, __, inJson) =>
		JSON.stringify({ timestamp: "2026-09-01T00:00:00Z", jsonPayload: JSON.parse(inJson) }),
	"the name of a machine": (_, line) => `edge-3 ${line}`,
	"a number of seconds": (_, line) => `1789371001.250 ${line}`,
	"the full name of a machine": (_, line) => `ip-10-0-0-7.ec2.internal ${line}`,
	"another time in brackets": (request, line) => `[${request.day}:${request.time} +0200] [info] ${line}`,
	"a field of logfmt": (_, line) => `ts=2026-09-14 level=info msg="${line.replaceAll('"', '\\"')}"`,
	"a field of CSV": (_, line) => `"2026-09-14T07:00:00Z","${line.replaceAll('"', '""')}"`,
	"Fluentd around JSON": (_, line) => `2026-09-01T00:00:00Z\tweb\t${JSON.stringify({ log: line })}`,
	"Elasticsearch in JSON": (_, line) =>
		JSON.stringify({ _source: { "@timestamp": "2026-09-01" }, fields: { message: [line] } }),
	"numbers of lines": (request, line) => `     ${request.line}\t${line}`,
	"the name of the file": (_, line) => `access.log:${line}`,
	"the name of the file and a blank": (_, line) => `access.log.1 ${line}`,
	"the host and its port": (_, line) => `shop.example:443 ${line}`,
	"syslog and the host": (request, line) => `Sep 14 ${request.time} edge-3 nginx: shop.example ${line}`,
	"a byte order mark": (request, line) => `${request.line === 1 ? "\ufeff" : ""}${line}`,
	"a chain of proxies": (request) => plain(request, `${request.address}, 10.1.0.${request.line}`),
	"a chain without blanks": (request) => plain(request, `${request.address},10.1.0.${request.line}`),
	"a chain in quotes": (request) => plain(request, `"unknown, ${request.address}, 10.1.0.${request.line}"`),
	"a chain behind syslog": (request) =>
		`Sep 14 ${request.time} edge-3 nginx: ${plain(request, `10.0.0.9, ${request.address}, 10.1.0.4`)}`,
	"a chain and the proxy": (request) => plain(request, `${request.address}, 10.1.0.3 10.1.0.${request.line}`),
	"the client and the proxy": (request) => plain(request, `${request.address} 10.1.0.${request.line}`),
	"the proxy, and the chain at the end": (request) =>
		`${plain(request, `10.1.0.${request.line}`)} "${request.address}, 10.1.0.3"`,
	ports: (request) => plain(request, `${bracketed(request.address)}:${41_000 + request.line}`),
	"a chain with ports": (request) =>
		plain(request, `${bracketed(request.address)}:${41_000 + request.line}, 10.1.0.3:80`),
	"other spellings of addresses": (request) =>
		plain(request, request.line === 1 ? `::ffff:${request.address}` : request.address),
	JSON: (_, __, inJson) => inJson,
	"JSON with chains": (request) => json(request, { remote_addr: `${request.address}, 10.1.0.${request.line}` }),
	"JSON with ports": (request) =>
		json(request, { remote_addr: `${bracketed(request.address)}:${41_000 + request.line}` }),
	"JSON with the proxy and a chain": (request) =>
		json(request, { remote_addr: `10.1.0.${request.line}`, http_x_forwarded_for: `${request.address}, 10.1.0.3` }),
};

test("a log has the same figures in whatever form a server or a collector of logs writes it", async () => {
	const names = Object.keys(forms);
	const dates = names.map((_, index) => new Date(Date.UTC(2026, 8, 1 + index)));
	const dateOf = (index: number) => dates[index]?.toJSON().slice(0, 10) ?? "";
	const lines = Object.values(forms).flatMap((lineOf, index) => {
		const [, day = "", month = "", year = ""] = dates[index]?.toUTCString().split(" ") ?? [];
		return requests.map(([address, time, path, referrer, agent], at) => {
			const when = { day: `${day}/${month}/${year}`, date: dateOf(index), time };
			const request = { address, ...when, line: at + 1, path, referrer, agent };
			return lineOf(request, plain(request), json(request));
		});
	});
	const { report, rows, sums } = await readImport("access_log", `${lines.join("\n")}\n`, { timezone: "Europe/Paris" });
	assert.deepEqual(report.skip_reasons, []);
	assert.deepEqual(
		report.by_day.map(({ date, entrances, page_views, engaged_entrances }, index) => {
			const sessions = rows.filter((row) => row.date === date).map(({ session }) => session);
			// Behind the visitor an id has 17 bits for the second of the day.
			const visitors = new Set(sessions.map((session) => BigInt(session) >> 17n)).size;
			return [names[index], date, entrances, page_views, engaged_entrances, visitors];
		}),
		names.map((form, index) => [form, dateOf(index), 6, 9, 2, 6]),
	);
	const sources = ["(direct)", "bing", "duckduckgo", "forum.example", "google", "letter"];
	assert.deepEqual(sums("entrance", "utm_source"), Object.fromEntries(sources.map((source) => [source, names.length])));
});

test("times are read in every form and unit, and without a zone in that of the file", async () => {
	const timezone = "America/Chicago";
	const at = Date.parse("2026-09-15T04:40:30.250Z");
	const times: readonly unknown[] = [
		...[at / 1000, at, at * 1000, at * 1_000_000, `${at / 1000}`, `${at}000000`],
		...["2026-09-15T04:40:30.250Z", "2026-09-15T06:40:30.250+02:00", "2026-09-15T06:40:30.250+0200"],
		...["2026-09-15 04:40:30.25+00", "2026-09-15 10:10:30,250 +0530", "2026-09-15 04:40:30.250 UTC"],
		...["2026-09-15 04:40:30.250 +0000 UTC", "2026/09/15 04:40:30Z", "Tue, 15 Sep 2026 04:40:30 GMT"],
		...["15/Sep/2026:06:40:30 +0200", "14/Sep/2026:23:40:30"],
		...["2026-09-14 23:40:30", "2026-09-14T23:40:30.250", "2026/09/14 23:40:30", "2026-09-14 23:40"],
	];
	const lines = times.map((time, index) =>
		JSON.stringify({ time, ip: "203.0.113.80", method: "GET", path: `/${index}`, status: 200, agent: FIREFOX }),
	);
	lines.push(`203.0.113.80 - - [14/Sep/2026:23:40:30] "GET /combined HTTP/1.1" 200 7 "-" "${FIREFOX}"`);
	const { report } = await readImport("access_log", lines.join("\n"), { timezone });
	assert.deepEqual(report.skip_reasons, []);
	const found = report.by_day.map(({ date, entrances, page_views }) => [date, entrances, page_views]);
	assert.deepEqual(found, [["2026-09-14", 1, 22]]);
	const local = await readImport("access_log", lines.slice(16).join("\n"), { timezone, fileTimezone: "Asia/Tokyo" });
	assert.deepEqual(local.sums("page_view", "hour", "2026-09-14"), { 9: 6 });
	assert.deepEqual(local.sums("entrance", "date"), { "2026-09-14": 1 });
});

test("JSON lines, hosts, gzip, zones, days of one's own and days that were not asked for", async () => {
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
	const { report, sums } = await readImport("access_log", packed, {
		...{ timezone: "Europe/Madrid", columnMap: { when: "time" } },
		days: { from: "2026-11-01", own: ["2026-11-21"] },
	});
	const other = "the host is other.example, which is no domain of the site";
	assert.deepEqual(Object.fromEntries(report.skip_reasons.map(({ reason, samples }) => [reason, samples])), {
		malformed: ["line 9: no field for time, address, method", "line 10: no JSON"],
		other_host: [`line 2: ${other}`, `line 4: ${other}`],
		out_of_range: ["line 8: 2026-10-31 is out of range"],
		overlap: ["line 7: the site has hits of its own on 2026-11-21"],
	});
	const days = { "2026-11-10": "/night", "2026-11-11": "/d%C3%A9j%C3%A0", "2026-11-12": "/nginx", "2026-11-13": "/t" };
	for (const [date, path] of Object.entries(days)) assert.deepEqual(sums("page_view", "path", date), { [path]: 1 });
	assert.equal(report.totals.page_views, 4);
});

const agentless = `{"ts":1789371001,"ip":"203.0.113.1","method":"GET","path":"/","status":200}`;
const elsewhere = `other.example ${plain({ address: "203.0.113.1", day: "14/Sep/2026", date: "2026-09-14", time: "09:00:00", path: "/", line: 1, referrer: "-", agent: CHROME })}`;
const good = elsewhere.replace("other.example ", "");

/** Logs of which nothing counts, or little, and what the import says of it. */
const shortfalls: readonly (readonly [string, RegExp])[] = [
	[elsewhere, /^No row of the file counts\. .*: line 1: the host is other\.example, which is no domain of the site$/],
	[agentless, /^No row of the file counts\. .*: line 1: the line has no user agent/],
	[good.replace("2026", "2036"), /^No row of the file counts\. .*: line 1: 2036-09-14 is out of range/],
	[good.replace('"GET ', '"POST '), /^No row of the file counts\. .*: line 1: it shows no page/],
	[
		`${good}\nMark\n-- 2 --\n`,
		/^Most of the file cannot be read: 2 of 3 rows\. The first of them: line 2: no time such as/,
	],
];

test("an import that takes nothing of a file, or of which most cannot be read, says why of the first line", async () => {
	for (const [content, message] of shortfalls) {
		const { report } = await readImport("access_log", content);
		assert.match(report.warnings[0] ?? "", message);
	}
	const few = await readImport("access_log", `${good}\nMark\n`, { days: { imported: ["2026-09-14"] } });
	assert.deepEqual(few.report.warnings, [
		"Another import has rows on 1 of these days, from 2026-09-14 to 2026-09-14: both count",
	]);
});

const drawnRequests = fc.array(
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
type Drawn = typeof drawnRequests extends fc.Arbitrary<(infer One)[]> ? One : never;

const sourceOf = (referrer: string) =>
	referrer.includes("google") ? "google" : referrer.includes("news") ? "news.example" : "(direct)";

const add = (counts: Record<string, number>, name: string) => {
	counts[name] = (counts[name] ?? 0) + 1;
};

/** A log of the requests, and what a naive reading makes of it: entrances and page views by source, page views by page. */
function recompute(drawn: readonly Drawn[]) {
	let now = Date.parse("2026-10-01T22:00:00Z");
	const text: string[] = [];
	const live = new Map<string, { last: number; views: number; source: string; first: string }>();
	const entrances: Record<string, number> = {};
	const views: Record<string, number> = {};
	const pages: Record<string, number> = {};
	const totals = { entrances: 0, engaged_entrances: 0, page_views: 0 };
	for (const { address, agent, gap, path, status, referrer, isBroken } of drawn) {
		now += gap * 60_000;
		text.push(isBroken ? "broken" : line(address, logTime(now), `GET ${path} HTTP/1.1`, status, referrer, agent));
		if (isBroken || path === "/c.css" || status === 301 || status === 500) continue;
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
		totals.page_views++;
		if (visit.views === 1) totals.entrances++;
		if (visit.views === 2) totals.engaged_entrances++;
		if (visit.views === 1) add(entrances, visit.source);
		add(views, visit.source);
		add(pages, path);
	}
	return { text, entrances, views, pages, totals };
}

test("the rows of an import are those of a naive recomputation of its lines", async () => {
	const property = fc.asyncProperty(drawnRequests, async (drawn) => {
		const { text, entrances, views, pages, totals } = recompute(drawn);
		text.push(line("192.0.2.200", "20/Nov/2026:10:00:00 +0000", "POST / HTTP/1.1"));
		const { report, rows, sums } = await readImport("access_log", text.join("\n"));
		const { rows_read, rows_accepted, rows_skipped } = report;
		const counts = [text.length, totals.page_views, text.length - totals.page_views];
		assert.deepEqual([rows_read, rows_accepted, rows_skipped], counts);
		assert.deepEqual(report.totals, { ...totals, microconversions: 0, conversions: 0, revenue: 0 });
		assert.deepEqual(sums("entrance", "utm_source"), entrances);
		assert.deepEqual(sums("page_view", "utm_source"), views);
		assert.deepEqual(sums("page_view", "path"), pages);
		assert.equal(rows.filter(({ engaged }) => engaged === "1").length, totals.engaged_entrances);
	});
	await fc.assert(property, oracleRuns(50));
});
