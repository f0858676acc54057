import assert from "node:assert/strict";
import { once } from "node:events";
import { connect } from "node:net";
import { test } from "node:test";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { sendHit, sendHits } from "../../../../test/support/hits.ts";

const MINUTE = 60_000;

const here = collectingSite();

const rejections = async () => (await here.call(`GET /sites/${here.site}/pixel/rejections`)).data;

async function post(body: string, headers: Record<string, string> = {}): Promise<number> {
	const response = await fetch(`${await here.app.address()}/event`, { method: "POST", body, headers });
	assert.equal(await response.text(), "");
	return response.status;
}

async function tokenOfScript(): Promise<string> {
	const script = await here.app.inject({ url: `/t.js?id=${here.site}` });
	return /"([A-Za-z0-9_-]{40,80})"/.exec(script.body)?.[1] ?? "";
}

const payload = async (path: string) =>
	JSON.stringify({ a: here.site, t: await tokenOfScript(), u: `https://shop.example${path}` });

const firefox = {
	"user-agent": "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
	"accept-language": "en",
	"accept-encoding": "br",
};
const paths = async () => (await here.storedRows("path")).map(({ path }) => path).sort();
const queueCheck = async () => (await here.app.inject({ url: "/health" })).json().checks.queue;

test("every refused hit is answered 204, counted under its reason and origin, and stored nowhere", async () => {
	const token = await tokenOfScript();
	const other = here.site;
	await sendHits(here.app, [here.view("/", { token })]);
	here.site = await createSite(here.app, here.owner);
	/** Pages of no domain of the site, with the origins that are counted. */
	const pages = {
		"https://elsewhere.example": "https://elsewhere.example",
		"http://localhost:3000": "http://localhost:3000",
		"http://127.0.0.1:8080": "http://127.0.0.1:8080",
		"//user@cdn.example:8443": "https://cdn.example:8443",
		"http://preview.example.": "http://preview.example.",
		"https://WWW.Preview.example:443": "https://www.preview.example",
	};
	for (const hit of [
		...Object.keys(pages).map((url) => here.view("/", { url: `${url}/y?z` })),
		...["ftp://shop.example/", ""].map((url) => here.view("/", { url })),
		...["forged", "", token].map((one) => here.view("/", { token: one })),
		here.view("/", { site: "unknown-site" }),
		here.view("/", { site: other, token: await tokenOfScript() }),
	])
		assert.equal(await sendHit(here.app, hit), 204);
	assert.deepEqual(await paths(), []);
	const { accepted, rejected, reasons } = await rejections();
	assert.deepEqual([accepted, rejected], [0, 11]);
	const originsOf = (at: number) =>
		reasons[at].origins.map(({ origin, count }: Record<string, unknown>) => `${origin} ${count}`).sort();
	assert.deepEqual([reasons[0].reason, reasons[0].count], ["invalid_domain", 8]);
	assert.deepEqual(
		originsOf(0),
		Object.values(pages)
			.map((origin) => `${origin} 1`)
			.sort(),
	);
	const found = [reasons[1].reason, reasons[1].count, originsOf(1)];
	assert.deepEqual(found, ["invalid_token", 3, ["https://shop.example 3"]]);
	here.site = other;
	assert.deepEqual(await here.rejected(), { invalid_token: 1 });
});

for (const [domains, own, foreign] of [
	["shop.example", "https://blog.shop.example https://WWW.Shop.Example:8443 //shop.example", "https://notshop.example"],
	[
		"localhost:3000 127.0.0.1 [::1] intranet",
		"http://localhost http://localhost:8080 http://app.localhost:5173 http://127.0.0.1:8080 http://[::1]:8080 http://intranet",
		"http://127.0.0.2 http://[::2] http://other",
	],
] as const) {
	test(`pages count on ${domains} where the site has these domains, on subdomains and whatever the port`, async () => {
		here.site = await createSite(here.app, here.owner, { domains: domains.split(" ") });
		const hosts = own.split(" ");
		await sendHits(
			here.app,
			[...hosts, ...foreign.split(" ")].map((host, n) => here.view("", { url: `${host}/${n}`, ip: `203.0.113.${n}` })),
		);
		const expected = hosts.map((_, n) => `/${n}`);
		assert.deepEqual(await paths(), expected);
	});
}

test("a token counts for seven days in the one spelling that was issued, and in no longer one", async () => {
	const token = await tokenOfScript();
	const spellings = [`${token}!`, `${token}=`, ` ${token}`, `${token.slice(0, 9)}.${token.slice(9)}`];
	const others = [...spellings, `${token}${"~".repeat(13_000)}`, `${token}${token}`, "x".repeat(58)];
	for (const other of others) await sendHit(here.app, here.view("/", { token: other }));
	assert.deepEqual(await here.rejected(), { invalid_token: others.length });
	here.app.clock.advance(7 * 1440 * MINUTE - 1);
	await sendHits(here.app, [here.view("/in-time", { token })]);
	here.app.clock.advance(1);
	await sendHits(here.app, [here.view("/too-late", { token })]);
	assert.deepEqual(await paths(), ["/in-time"]);
});

test("a visitor's hits beyond three hundred in a minute are refused, those of a program too", async () => {
	const program = { userAgent: "python-requests/2.32.0" };
	for (let sent = 0; sent < 301; sent++) {
		await sendHit(here.app, here.view("/flood"));
		await sendHit(here.app, here.view("/flood", program));
	}
	// With the row of engagement.
	assert.equal((await paths()).length, 301);
	const kept = "SELECT count() AS hits FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.query(kept), [{ hits: 300 }]);
	const { accepted, reasons } = await rejections();
	const origins = [{ origin: "https://shop.example", count: 2 }];
	assert.deepEqual([accepted, reasons], [600, [{ reason: "rate_limit", count: 2, origins }]]);
	here.app.clock.advance(MINUTE);
	await sendHit(here.app, here.view("/flood"));
	assert.equal((await paths()).length, 302);
});

test("bodies that are no payload are answered 204 and counted as unreadable", async () => {
	const a = here.site;
	const nested = `${"[".repeat(7000)}${"]".repeat(7000)}`;
	const ofNoSite = ["", "{", "null", "[]", "d=%7B", "d=%E0%A4%A", "\u0000\uffff", nested];
	const wrong = [{ v: [] }, { c: 1.5 }, { x: [] }, { x: "text" }, { u: 7 }, { e: "" }, { e: " \t" }];
	for (const body of [...ofNoSite, ...wrong.map((fields) => JSON.stringify({ a, ...fields }))])
		assert.equal(await post(body), 204, body.slice(0, 40));
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 7, origins: [] }]);
});

test("more than fifteen kilobytes are not read; the answer is the same, and they count under the site that they name", async () => {
	const long = "x".repeat(15 * 1024);
	const big = JSON.stringify({ a: here.site, u: "https://shop.example/", r: long });
	const inside = JSON.stringify({ x: { a: here.site }, r: long });
	for (const body of [big, `d=${encodeURIComponent(big)}`, `o=1&d=${encodeURIComponent(big)}`, inside])
		assert.equal(await post(body), 204);
	assert.equal(await post("x".repeat(2_000_000)), 204);
	const full = { a: here.site, t: await tokenOfScript(), u: "https://shop.example/full", r: "" };
	full.r = "x".repeat(15 * 1024 - JSON.stringify(full).length);
	await post(JSON.stringify(full), firefox);
	assert.deepEqual(await paths(), ["/full"]);
	assert.deepEqual((await rejections()).reasons, [{ reason: "invalid_json", count: 3, origins: [] }]);
});

test("hits of no active site, as of one that was deleted, are counted for the operator in /health, for an hour", async () => {
	const token = await tokenOfScript();
	assert.equal((await here.call(`DELETE /sites/${here.site}`)).status, 200);
	here.app.clock.advance(120 * MINUTE);
	const { status, message } = await queueCheck();
	assert.deepEqual([status, message], ["healthy", "0 bytes wait for the event store"]);
	await sendHits(here.app, [
		here.view("/", { token }),
		here.view("/", { site: "unknown" }),
		here.view("/", { site: "" }),
	]);
	for (const body of ["x".repeat(20_000), "{", "[]"]) await post(body);
	assert.deepEqual(await paths(), []);
	const after = await queueCheck();
	assert.equal(after.status, "healthy");
	assert.match(after.message, /; rejected within an hour without an active site: 3 invalid_account, 3 invalid_json$/);
	assert.deepEqual([after.code, after.values.rejected], ["hits_waiting", "3 invalid_account, 3 invalid_json"]);
	here.app.clock.advance(60 * MINUTE);
	assert.doesNotMatch((await queueCheck()).message, /rejected/);
});

test("the body may be a form field or JSON of any text type", async () => {
	const form = { ...firefox, "content-type": "application/x-www-form-urlencoded" };
	await post(await payload("/1"), { ...firefox, "content-type": "application/json" });
	await post(await payload("/2"), { ...firefox, "content-type": "text/plain;charset=UTF-8" });
	await post(`d=${encodeURIComponent(await payload("/3 a+b"))}`, form);
	await post(new URLSearchParams({ other: "1", d: await payload("/4") }).toString(), form);
	assert.deepEqual(await paths(), ["/1", "/1", "/2", "/3 a+b", "/4"]);
});

test("strange visitors change nothing, and nothing that a visitor sent is in the log", async () => {
	await sendHits(here.app, [
		here.view("/", { userAgent: `Mozilla/5.0 ${"A".repeat(10_000)}`, ip: "203.0.113.1" }),
		here.view("/", { timezone: "Mars/Olympus", ip: "203.0.113.2" }),
		here.view("/", { timezone: "x".repeat(5000), ip: "not an address" }),
		here.view(`/${"p".repeat(3000)}`, { ip: "2001:db8::1" }),
		here.view("/private-path", { ip: "198.51.100.23", referrer: "https://private.example/" }),
	]);
	await post("{private-garbage");
	const rows = await here.storedRows("country, length(path) AS length");
	assert.deepEqual(rows.map(({ country }) => country).sort(), ["ES", "ES", "Unknown", "Unknown"]);
	assert.equal(Math.max(...rows.map(({ length }) => Number(length))), 1024);
	const lengths = "SELECT length(user_agent) AS length FROM bot_hits WHERE site = {site:String}";
	assert.deepEqual(await here.query(lengths), [{ length: 500 }]);
	const log = here.app.logLines.join("");
	for (const text of ["private-path", "198.51.100.23", "private.example", "private-garbage"])
		assert.equal(log.includes(text), false, text);
});

test("other methods are 405 with an error, a preflight is 204, and every page may read the answer", async () => {
	const address = `${await here.app.address()}/event`;
	const get = await fetch(address);
	assert.deepEqual([get.status, get.headers.get("allow")], [405, "POST, OPTIONS"]);
	const body = (await get.json()) as { error: { code: string } };
	assert.equal(body.error.code, "method_not_allowed");
	const preflight = await fetch(address, { method: "OPTIONS" });
	const allowed = ["origin", "methods", "headers"].map((name) => preflight.headers.get(`access-control-allow-${name}`));
	assert.deepEqual([preflight.status, ...allowed], [204, "*", "POST, OPTIONS", "content-type"]);
	const hit = await fetch(address, { method: "POST", body: "{}" });
	assert.equal(hit.headers.get("access-control-allow-origin"), "*");
});

/** Posts a page view in pieces of some bytes, each a chunk of its own; what came back until the connection ended. */
async function postPieces(path: string, size: number): Promise<string> {
	const socket = connect(Number(new URL(await here.app.address()).port), "127.0.0.1");
	const headers = { host: "x", "transfer-encoding": "chunked", ...firefox };
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
	socket.write(`POST /event HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
	const bytes = Buffer.from(await payload(path));
	for (let at = 0; at < bytes.length; at += size) {
		const piece = bytes.subarray(at, at + size);
		socket.write(Buffer.concat([Buffer.from(`${piece.length.toString(16)}\r\n`), piece, Buffer.from("\r\n")]));
	}
	socket.write("0\r\n\r\n");
	let answer = "";
	socket.setEncoding("latin1").on("data", (text: string) => {
		answer += text;
		if (!answer.toLowerCase().includes("connection: close")) socket.end();
	});
	await once(socket, "close");
	assert.match(answer, /^HTTP\/1\.1 204 /);
	return answer;
}

test("a body in many pieces is put together; in more than sixty-four it is unreadable, and its connection ends", async () => {
	await postPieces("/caña-👍🏽", 5);
	assert.deepEqual(await here.rejected(), {});
	assert.match(await postPieces("/tiny", 1), /\r\nConnection: close\r\n/);
	assert.deepEqual(await here.rejected(), { invalid_json: 1 });
	assert.deepEqual(await here.storedRows("path"), [{ path: "/ca%C3%B1a-%F0%9F%91%8D%F0%9F%8F%BD" }]);
});

test("whether a hit came over https is what the proxy says, not what the sender wrote before it", async () => {
	// A Chrome without client hints is odd over https alone.
	const chrome = {
		"user-agent":
			"Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0 Safari/537.36",
		...{ "accept-language": "en", "accept-encoding": "gzip, deflate, br" },
		...{ "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
	};
	for (const [path, proto, from] of [
		["/replaced", "https", "203.0.113.1"],
		["/added", "http, https", "203.0.113.2"],
		["/two-proxies", "https, https, http", "203.0.113.3, 10.0.0.1"],
		["/plain", "https, http", "203.0.113.4"],
	] as const)
		await post(await payload(path), { ...chrome, "x-forwarded-for": from, "x-forwarded-proto": proto });
	const rows = await here.storedRows("path, bot_score");
	const scores = Object.fromEntries(rows.map(({ path, bot_score }) => [path, bot_score]));
	assert.deepEqual(scores, { "/replaced": 25, "/added": 25, "/two-proxies": 25, "/plain": 0 });
});
