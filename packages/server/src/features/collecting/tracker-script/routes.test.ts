import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext, Script } from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { createSite } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { collectKey } from "../../../composition/collector.ts";
import { tokenExpiry } from "../collect/token.ts";
import { fillIn, type ScriptValues } from "./fill-in.ts";

const here = collectingSite();
const ask = (query: string, method: "GET" | "HEAD" = "GET", headers: Readonly<Record<string, string>> = {}) =>
	here.app.inject({ method, url: `/t.js${query}`, headers });
const load = (query = "", headers = {}) => ask(`?id=${here.site}${query}`, "GET", headers);

test("the script of an active site comes with its headers, its id and a token that the collector accepts for 7 days", async () => {
	here.app.clock.set("2026-11-21T10:20:30.000Z");
	const { statusCode, headers, body } = await load("", { host: "stats.test:8080" });
	const names = ["content-type", "cache-control", "access-control-allow-origin", "cross-origin-resource-policy"];
	assert.deepEqual(
		[statusCode, ...[...names, "set-cookie"].map((name) => headers[name])],
		[200, "application/javascript; charset=utf-8", "public,max-age=3600", "*", "cross-origin", undefined],
	);
	new Script(body);
	assert.doesNotMatch(body, /FOOTFALL_/);
	assert.ok(body.includes(`a:"${here.site}"`));
	assert.match(body, /:"http:\/\/stats\.test:8080\/"/);
	const token = /t:"([\w-]{58})"/.exec(body)?.[1] ?? "";
	const secret = collectKey(here.app.config.secretKey);
	assert.equal(tokenExpiry(secret, here.site, token), Date.UTC(2026, 10, 28, 10));
	assert.equal(tokenExpiry(secret, "other", token), undefined);
});

test("the query chooses content group, modes and automatic events, of which a page loads no others", async () => {
	assert.match((await load()).body, /g:"",.*autoMode:true,spaMode:true/s);
	assert.match((await load("&group=blog_2&auto=0&spa=0")).body, /g:"blog_2",.*autoMode:false,spaMode:false/s);
	const marks = {
		...{ "404": /responseStatus/, download: /"download"/, form: /"submit"/ },
		...{ outbound: /"outbound"/, scroll: /scrollHeight/ },
	};
	for (const chosen of [[], ["404"], ["download"], ["outbound"], ["scroll"], ["scroll", "404"], Object.keys(marks)]) {
		const { body } = await load(chosen.length > 0 ? `&events=${chosen}` : "");
		new Script(body);
		for (const [name, mark] of Object.entries(marks)) assert.equal(mark.test(body), chosen.includes(name), name);
	}
	assert.equal((await load("&events=scroll,404,scroll")).body, (await load("&events=404,scroll")).body);
});

test("the script sends the automatic events of the site's settings, beside those that the tag asks for", async () => {
	const all = (await load("&events=404,form,scroll")).body;
	await here.call(`PATCH /sites/${here.site}`, { automatic_events: ["not_found", "form"] });
	assert.equal((await load()).body, (await load("&events=404,form")).body);
	assert.equal((await load("&events=scroll")).body, all);
	await here.call(`PATCH /sites/${here.site}`, { automatic_events: [] });
	assert.doesNotMatch((await load()).body, /responseStatus|"submit"/);
});

test("a wrong query answers 400, a site that is unknown or closed 404, HEAD the same status", async () => {
	const closed = here.site;
	await here.call(`PATCH /sites/${closed}`, { is_active: false });
	here.site = await createSite(here.app, here.owner);
	const id = `?id=${here.site}`;
	const refused = {
		"400 bad_request": [
			...["", "?id=", "?id=ab", `?id=${"a".repeat(65)}`, `${id}&id=other`, `${id}&group=a%20b`],
			...[`${id}&group=%22%3Balert(1)`, `${id}&group=${"g".repeat(65)}`, `${id}&events=`, `${id}&events=clicks`],
			...[`${id}&events=outbound,`, `${id}&events=outbound,clicks`],
		],
		"404 account_not_found": ["?id=nobody", `?id=${closed}`, "?id=%3C%2Fscript%3E"],
	};
	for (const [expected, queries] of Object.entries(refused)) {
		for (const query of queries) {
			const [answer, head] = [await ask(query), await ask(query, "HEAD")];
			assert.equal(`${head.statusCode} ${answer.json().error.code}`, expected, query);
			assert.equal(answer.statusCode, head.statusCode, query);
		}
	}
	const { message } = (await load("&events=clicks")).json().error;
	assert.equal(message, "Missing or invalid id, group or events; events are any of 404,download,form,outbound,scroll");
});

test("the script stays the same for the hour, so a cache gets 304; HEAD has its headers, a new hour a new token", async () => {
	here.app.clock.set("2026-11-21T10:20:30.000Z");
	const { headers } = await load();
	const etag = String(headers.etag);
	here.app.clock.set("2026-11-21T10:59:59.000Z");
	assert.equal((await load()).headers.etag, etag);
	const head = await ask(`?id=${here.site}`, "HEAD");
	assert.deepEqual([head.statusCode, head.body], [200, ""]);
	for (const name of ["etag", "content-length", "content-type"]) assert.equal(head.headers[name], headers[name], name);
	for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
		const { statusCode, body, headers: sent } = await load("", { "if-none-match": known });
		assert.deepEqual(
			[statusCode, body, sent.etag, sent["cache-control"]],
			[304, "", etag, "public,max-age=3600"],
			known,
		);
	}
	here.app.clock.set("2026-11-21T11:00:00.000Z");
	assert.equal((await load("", { "if-none-match": etag })).statusCode, 200);
});

test("a browser gets the script packed by Brotli where it takes that, else by gzip, else as it is", async () => {
	const plain = await load();
	assert.deepEqual([plain.headers["content-encoding"], plain.headers.vary], [undefined, "Accept-Encoding"]);
	const asked = (accepted: string) => load("", { "accept-encoding": accepted });
	for (const [accepted, encoding, unpack] of [
		["gzip, deflate, br", "br", brotliDecompressSync],
		["gzip", "gzip", gunzipSync],
		["gzip, deflate", "gzip", gunzipSync],
		["br;q=0, GZIP;q=0.5", "gzip", gunzipSync],
		["br; q=0.00, gzip", "gzip", gunzipSync],
		["gzip;q=0, deflate, brr", undefined, (bytes: Buffer) => bytes],
	] as const) {
		const { headers, rawPayload } = await asked(accepted);
		assert.deepEqual([headers["content-encoding"], unpack(rawPayload).toString()], [encoding, plain.body], accepted);
	}
});

test("of more than 30 new scripts in a minute and address the others are packed quickly and not kept", async () => {
	const bytes = async (group: string, from = "203.0.113.9") => {
		const answer = await load(`&group=${group}`, { "accept-encoding": "br", "x-forwarded-for": from });
		assert.match(brotliDecompressSync(answer.rawPayload).toString(), new RegExp(group));
		return answer.rawPayload.length;
	};
	const sizes: number[] = [];
	for (let at = 0; at < 32; at++) sizes.push(await bytes(`g${String(at).padStart(2, "0")}`));
	const [well = 0, quickly = 0] = [Math.max(...sizes.slice(0, 30)), Math.min(...sizes.slice(30))];
	assert.ok(well < quickly, `${well} and ${quickly} bytes`);
	assert.equal(await bytes("g00"), sizes[0]);
	assert.ok((await bytes("g31", "203.0.113.10")) < quickly);
	here.app.clock.advance(60_000);
	assert.ok((await bytes("g30")) < quickly);
});

test("a site tells how often its script was loaded, so that a tag is seen to be there before a hit arrives", async () => {
	const asked = async () => {
		const { data } = await here.call(`GET /sites/${here.site}/pixel/status`);
		return [data.script_requests, data.last_script_request_at, data.installed];
	};
	await ask(`?id=${here.site}`, "HEAD");
	await load("&events=none");
	assert.deepEqual(await asked(), [0, null, false]);
	const first = await load();
	here.app.clock.advance(90_000);
	await load("", { "if-none-match": String(first.headers.etag) });
	assert.deepEqual(await asked(), [2, "2026-11-21T12:01:30.000Z", false]);
	here.site = await createSite(here.app, here.owner);
	assert.deepEqual(await asked(), [0, null, false]);
});

test("every value arrives in the script as it was, whatever it holds, and none can close a script element", () => {
	const text = fc.oneof(
		fc.string({ unit: "binary" }),
		fc.constantFrom("</script>", '"', "\\", "\u2028", "$&", "FOOTFALL_SPA", "`$"),
	);
	const values: fc.Arbitrary<ScriptValues> = fc.record({
		...{ FOOTFALL_ID: text, FOOTFALL_TOKEN: text, FOOTFALL_ROOT: text, FOOTFALL_GROUP: text },
		...{ FOOTFALL_AUTO: fc.boolean(), FOOTFALL_SPA: fc.boolean() },
	});
	const names = "FOOTFALL_ID,FOOTFALL_TOKEN,FOOTFALL_ROOT,FOOTFALL_GROUP,FOOTFALL_AUTO,FOOTFALL_SPA";
	fc.assert(
		fc.property(values, (given) => {
			const script = fillIn(`[${names},FOOTFALL_ID]`, given);
			assert.doesNotMatch(script, /[<\u2028\u2029]/);
			const all = [...names.split(","), "FOOTFALL_ID"].map((name) => given[name as keyof ScriptValues]);
			assert.deepEqual([...runInNewContext(script)], all);
			// Nor is a placeholder left that the server does not know.
			assert.throws(() => fillIn("FOOTFALL_NEW", given), /FOOTFALL_NEW/);
		}),
		{ numRuns: 30 },
	);
});
