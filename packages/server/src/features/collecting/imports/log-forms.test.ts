import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { gzipSync } from "node:zlib";
import { CHROME, FIREFOX, importSite } from "../../../../test/support/import-site.ts";
import { type TestApp, testApp } from "../../../../test/support/test-app.ts";
import { zipFile } from "../../../../test/support/zip-file.ts";

let app: TestApp;
before(async () => {
	app = await testApp();
});
after(() => app.close());

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
	const site = await importSite(app, { timezone: "Europe/Paris" });
	const names = Object.keys(forms);
	const dates = names.map((_, index) => new Date(Date.UTC(2026, 8, 1 + index)));
	const lines = Object.values(forms).flatMap((lineOf, index) => {
		const [, day = "", month = "", year = ""] = dates[index]?.toUTCString().split(" ") ?? [];
		const date = dates[index]?.toJSON().slice(0, 10) ?? "";
		return requests.map(([address, time, path, referrer, agent], at) => {
			const request = { address, day: `${day}/${month}/${year}`, date, time, line: at + 1, path, referrer, agent };
			return lineOf(request, plain(request), json(request));
		});
	});
	const { report } = await site.import(`${lines.join("\n")}\n`);
	assert.deepEqual(report["skip_reasons"], []);
	assert.deepEqual(
		(report["by_day"] as object[]).map((day, index) => ({ ...day, form: names[index] })),
		names.map((form, index) => ({ date: dates[index]?.toJSON().slice(0, 10), entrances: 6, page_views: 9, form })),
	);
	const range = "start_date=2026-09-01&end_date=2026-10-31";
	const overview = (await site.report(`/stats/overview?${range}`)) as { data: { traffic: Record<string, number> } };
	const { visitors, engaged_entrances } = overview.data.traffic;
	assert.deepEqual([visitors, engaged_entrances], [6 * names.length, 2 * names.length]);
	const { data } = (await site.report(`/stats/sources?${range}`)) as { data: Record<string, unknown>[] };
	const expected = ["(direct)", "bing", "duckduckgo", "forum.example", "google", "letter"];
	assert.deepEqual(
		data.map((row) => `${row["utm_source"]} ${row["entrances"]}`).sort(),
		expected.map((source) => `${source} ${names.length}`),
	);
});

test("times are read in every form and unit, and without a zone in that of the file", async () => {
	const site = await importSite(app, { email: "times@example.com", timezone: "America/Chicago" });
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
	const { report } = await site.import(lines.join("\n"));
	assert.deepEqual(report.skip_reasons, []);
	assert.deepEqual(report.by_day, [{ date: "2026-09-14", entrances: 1, page_views: 22 }]);
	const elsewhere = await importSite(app, { email: "elsewhere@example.com", timezone: "America/Chicago" });
	const local = await elsewhere.import(lines.slice(16).join("\n"), { timezone: "Asia/Tokyo" });
	assert.deepEqual(local.report.by_day, [{ date: "2026-09-14", entrances: 1, page_views: 6 }]);
	const { data } = (await elsewhere.report(
		"/stats/overview?start_date=2026-09-14&end_date=2026-09-14&granularity=hourly",
	)) as { data: { entrances_series: { points: { value: number }[] } } };
	assert.deepEqual(
		data.entrances_series.points.flatMap(({ value }, hour) => (value > 0 ? [hour] : [])),
		[9],
	);
});

const w3c =
	"#Version: 1.0\n#Fields: date time c-ip cs-method cs-uri-stem sc-status\n2026-09-14 07:30:01 203.0.113.83 GET / 200\n";
const common = (path: string) => `203.0.113.40 - - [14/Sep/2026:09:00:05 +0200] "GET ${path} HTTP/1.1" 200 7301`;
const iso = `203.0.113.83 - - [2026-09-14T09:30:01+02:00] "GET /looms HTTP/1.1" 200 7301 "-" "${CHROME}"`;
const other = `[14/Sep/2026:09:30:01 +0200] - 200 200 - GET https shop.example "/" [Client 203.0.113.83] "${CHROME}" "-"`;
const workbook = zipFile([{ name: "xl/workbook.xml", content: "" }]);
const zipped = zipFile([{ name: "logs/access.log", content: iso }]);

/** Files that are none of their source, and what the refusal says of them. */
const refusals: readonly (readonly [string, string | Buffer, string, RegExp])[] = [
	["a W3C log", w3c, "access_log", /is a log in the W3C extended format, begins with “#Version: 1\.0”/],
	["an ISO time", iso, "access_log", /line 1 has no time such as .*begins with “203\.0\.113\.83 - - \[2026-09-14T09/],
	["an ISO time in a gzip", gzipSync(iso), "access_log", /is packed with gzip, begins with “203\.0\.113\.83 - -/],
	["another order", other, "access_log", /begins with “\[14\/Sep\/2026:09:30:01 \+0200\] - 200/],
	["a zip archive", zipped, "access_log", /zip archive with access\.log/],
	["a zip archive as CSV", zipped, "ga4_csv", /zip archive with access\.log/],
	["a workbook", workbook, "matomo_csv", /an Excel workbook: save its table as CSV/],
	["a gzip as CSV", gzipSync("Date,Sessions\n"), "ga4_csv", /is packed with gzip, begins with “Date,Sessions”/],
	["xz", Buffer.from("\xfd7zXZ\0\0\0", "latin1"), "access_log", /The file is an xz file/],
	["UTF-16", Buffer.from(`\ufeff${iso}`, "utf16le"), "access_log", /The file is a text in UTF-16/],
	["a JSON array", "[\n{\n", "access_log", /a JSON array, not an object a line/],
	["HTML", "<!doctype html>\n<p>Sign in</p>", "umami_csv", /is XML or HTML, begins with “<!doctype html>”/],
	["a log as CSV", `${iso}\n`, "ga4_csv", /begins with “203/],
	["CSV as an archive", "date,visits\n", "plausible_zip", /begins with “date,visits”/],
	["another CSV", "Tag,Besuche\n", "umami_csv", /needs the columns created_at.*begins with “Tag,Besuche”/],
	["the common format", [common("/"), common("/a.css")].join("\n"), "access_log", /no referrer and user agent/],
	["the common format, files first", `${common("/a.css")}\n${common("/")}`, "access_log", /\(the common format\)/],
];

test("a file that is none of its source is refused with what it is and how it begins", async () => {
	const site = await importSite(app, { email: "refused@example.com" });
	for (const [name, content, source, message] of refusals) {
		const sent = await site.upload(content, { source });
		const [fault] = sent.json().error.detail;
		assert.deepEqual([sent.statusCode, fault.field], [422, "body.file"], name);
		assert.match(fault.message, message, name);
	}
	assert.doesNotMatch(app.logLines.join(""), /203\.0\.113\./);
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
	const site = await importSite(app, { email: "short@example.com" });
	for (const [content, message] of shortfalls) {
		const { status, report } = await site.import(content);
		assert.equal(status, "completed");
		assert.match((report["warnings"] as string[])[0] ?? "", message);
	}
	const few = await site.import(`${good}\nMark\n`);
	assert.deepEqual(few.report["warnings"], [
		"Another import has rows on 1 of these days, from 2026-09-14 to 2026-09-14: both count",
	]);
});
