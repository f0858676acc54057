import assert from "node:assert/strict";
import { test } from "node:test";
import { runInNewContext, Script } from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { createSite, signIn } from "../../../../test/support/accounts.ts";
import { collectingSite } from "../../../../test/support/collecting-site.ts";
import { testApp } from "../../../../test/support/test-app.ts";
import { collectKey } from "../../../composition/collector.ts";
import { tokenExpiry } from "../collect/token.ts";
import { fillIn, type ScriptValues } from "./fill-in.ts";

const here = collectingSite();
const load = (query = "", headers: Readonly<Record<string, string>> = {}) =>
	here.app.inject({ url: `/t.js?id=${here.site}${query}`, headers });

test("the script of an active site comes with its headers, its id and a token that the collector accepts for 7 days", async () => {
	here.app.clock.set("2026-11-21T10:20:30.000Z");
	const { statusCode, headers, body } = await load("", { host: "stats.test:8080" });
	assert.equal(statusCode, 200);
	assert.equal(headers["content-type"], "application/javascript; charset=utf-8");
	assert.equal(headers["cache-control"], "public,max-age=3600");
	assert.equal(headers["access-control-allow-origin"], "*");
	assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
	assert.equal(headers["set-cookie"], undefined);
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
			const answer = await here.app.inject({ url: `/t.js${query}` });
			assert.equal(`${answer.statusCode} ${answer.json().error.code}`, expected, query);
			const head = await here.app.inject({ method: "HEAD", url: `/t.js${query}` });
			assert.equal(head.statusCode, answer.statusCode, query);
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
	const head = await here.app.inject({ method: "HEAD", url: `/t.js?id=${here.site}` });
	assert.deepEqual([head.statusCode, head.body], [200, ""]);
	for (const name of ["etag", "content-length", "content-type"]) assert.equal(head.headers[name], headers[name], name);
	for (const known of [etag, `"other", ${etag}`, etag.replace("W/", ""), "*"]) {
		const cached = await load("", { "if-none-match": known });
		assert.deepEqual([cached.statusCode, cached.body, cached.headers.etag], [304, "", etag], known);
		assert.equal(cached.headers["cache-control"], "public,max-age=3600");
	}
	here.app.clock.set("2026-11-21T11:00:00.000Z");
	const changed = await load("", { "if-none-match": etag });
	assert.equal(changed.statusCode, 200);
	assert.notEqual(changed.headers.etag, etag);
});

test("a browser gets the script packed by Brotli where it takes that, else by gzip, else as it is", async () => {
	const plain = await load();
	assert.deepEqual([plain.headers["content-encoding"], plain.headers.vary], [undefined, "Accept-Encoding"]);
	const asked = (accepted: string) => load("", { "accept-encoding": accepted });
	const packed = await asked("gzip, deflate, br");
	assert.equal(packed.headers["content-encoding"], "br");
	assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body);
	assert.ok(packed.rawPayload.length <= 900, `${packed.rawPayload.length} bytes`);
	for (const accepted of ["gzip", "gzip, deflate", "br;q=0, GZIP;q=0.5", "br; q=0.00, gzip"]) {
		const byGzip = await asked(accepted);
		assert.equal(byGzip.headers["content-encoding"], "gzip");
		assert.equal(gunzipSync(byGzip.rawPayload).toString(), plain.body);
	}
	assert.equal((await asked("gzip;q=0, deflate, brr")).headers["content-encoding"], undefined);
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

test("no host can break out of its literal, and PUBLIC_URL is filled in before it", async (t) => {
	const hostile = await load("", { host: 'a"+alert(1)+"</script>\u2028' });
	if (hostile.statusCode === 200) {
		new Script(hostile.body);
		assert.doesNotMatch(hostile.body, /<\/script|[^\\]"\+alert/);
	}
	const app = await testApp({ env: { PUBLIC_URL: "http://stats.example.com" } });
	t.after(() => app.close());
	const site = await createSite(app, await signIn(app));
	assert.match((await app.inject({ url: `/t.js?id=${site}` })).body, /"http:\/\/stats\.example\.com\/"/);
});

test("a site tells how often its script was loaded, so that a tag is seen to be there before a hit arrives", async () => {
	const asked = async () => {
		const { script_requests, last_script_request_at, installed } = (
			await here.call(`GET /sites/${here.site}/pixel/status`)
		).data;
		return [script_requests, last_script_request_at, installed];
	};
	await here.app.inject({ method: "HEAD", url: `/t.js?id=${here.site}` });
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
	const texts = { FOOTFALL_ID: text, FOOTFALL_TOKEN: text, FOOTFALL_ROOT: text, FOOTFALL_GROUP: text };
	const values: fc.Arbitrary<ScriptValues> = fc.record({
		...texts,
		FOOTFALL_AUTO: fc.boolean(),
		FOOTFALL_SPA: fc.boolean(),
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
