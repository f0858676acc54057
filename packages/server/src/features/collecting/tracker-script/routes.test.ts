import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { Script } from "node:vm";
import { brotliDecompressSync, gunzipSync } from "node:zlib";
import pino from "pino";
import type { App } from "../../../platform/http/app.ts";
import { createHttpApp } from "../../../platform/http/create-http-app.ts";
import { systemClock } from "../../../platform/lib/clock.ts";
import type { SiteFacts } from "../../tenancy/sites/index.ts";
import { tokenExpiry } from "../collect/token.ts";
import { registerTrackerScript } from "./index.ts";
import { ScriptRequests } from "./script-requests.ts";

const secret = "0123456789abcdef";
let now = Date.UTC(2026, 10, 21, 10, 20, 30);

const site = (id: string, isActive: boolean): SiteFacts => ({
	id,
	organizationId: "1",
	name: id,
	timezone: "UTC",
	currency: "EUR",
	isActive,
	botThreshold: 80,
	domains: [],
	utmMappings: [],
	blockedAddresses: undefined,
	forgottenVisits: [],
	lifetimeEventLimit: null,
});
const known = new Map([site("shop", true), site("closed", false)].map((one) => [one.id, one]));
const sites = { get: (id: string) => known.get(id), ofOrganization: () => [], refresh: async () => {} };

async function appWith(publicUrl?: string): Promise<App> {
	const clock = { ...systemClock, now: () => now };
	const describeGuard = () => ({ security: [], errors: [] });
	const app = await createHttpApp({
		log: pino({ enabled: false }),
		clock,
		trustProxy: false,
		describeGuard,
		checkResponses: true,
	});
	registerTrackerScript(app, { sites, secret, clock, requests: new ScriptRequests(), publicUrl });
	return app;
}

let app: App;
before(async () => {
	app = await appWith("https://stats.example.com");
});
after(() => app.close());

test("the script of an active site comes with its headers, its id and a token that the collector accepts for 7 days", async () => {
	const answer = await app.inject("/t.js?id=shop");
	assert.equal(answer.statusCode, 200);
	const { headers } = answer;
	assert.equal(headers["content-type"], "application/javascript; charset=utf-8");
	assert.equal(headers["cache-control"], "public,max-age=3600");
	assert.equal(headers["access-control-allow-origin"], "*");
	assert.equal(headers["cross-origin-resource-policy"], "cross-origin");
	assert.equal(headers["set-cookie"], undefined);
	assert.doesNotMatch(answer.body, /FOOTFALL_/);
	assert.match(answer.body, /a:"shop"/);
	assert.match(answer.body, /"https:\/\/stats\.example\.com\/"/);
	const token = /t:"([\w-]{58})"/.exec(answer.body)?.[1];
	assert.ok(token);
	assert.equal(tokenExpiry(secret, "shop", token), Date.UTC(2026, 10, 28, 10));
	assert.equal(tokenExpiry(secret, "other", token), undefined);
	new Script(answer.body);
});

test("the query chooses content group, automatic mode and single-page mode", async () => {
	const plain = (await app.inject("/t.js?id=shop")).body;
	assert.match(plain, /g:"",/);
	assert.match(plain, /autoMode:true,spaMode:true/);
	const chosen = (await app.inject("/t.js?id=shop&group=blog_2&auto=0&spa=0")).body;
	assert.match(chosen, /g:"blog_2",/);
	assert.match(chosen, /autoMode:false,spaMode:false/);
});

test("the query chooses automatic events in any order, and a page that asks for none loads nothing of them", async () => {
	const script = async (events: string) => (await app.inject(`/t.js?id=shop${events}`)).body;
	const marks = { "404": /responseStatus/, download: /"download"/, outbound: /"outbound"/, scroll: /scrollHeight/ };
	for (const chosen of [[], ["404"], ["download"], ["outbound"], ["scroll"], ["scroll", "404"], Object.keys(marks)]) {
		const text = await script(chosen.length > 0 ? `&events=${chosen}` : "");
		new Script(text);
		for (const [name, mark] of Object.entries(marks)) assert.equal(mark.test(text), chosen.includes(name), name);
	}
	assert.equal(await script("&events=scroll,404,scroll"), await script("&events=404,scroll"));
});

test("a refusal of the query names what may be wrong and which events there are", async () => {
	const { error } = (await app.inject("/t.js?id=shop&events=clicks")).json();
	assert.equal(error.message, "Missing or invalid id, group or events; events are any of 404,download,outbound,scroll");
});

const refused: [query: string, status: number, code: string][] = [
	["", 400, "bad_request"],
	["?id=", 400, "bad_request"],
	["?id=ab", 400, "bad_request"],
	[`?id=${"a".repeat(65)}`, 400, "bad_request"],
	["?id=shop&id=other", 400, "bad_request"],
	["?id=shop&group=a%20b", 400, "bad_request"],
	["?id=shop&group=%22%3Balert(1)", 400, "bad_request"],
	[`?id=shop&group=${"g".repeat(65)}`, 400, "bad_request"],
	["?id=shop&events=", 400, "bad_request"],
	["?id=shop&events=clicks", 400, "bad_request"],
	["?id=shop&events=outbound,", 400, "bad_request"],
	["?id=shop&events=outbound,clicks", 400, "bad_request"],
	["?id=nobody", 404, "account_not_found"],
	["?id=closed", 404, "account_not_found"],
	["?id=%3C%2Fscript%3E", 404, "account_not_found"],
];

test("a wrong query answers 400, a site that is unknown or closed 404, HEAD the same status", async () => {
	for (const [query, status, code] of refused) {
		const answer = await app.inject(`/t.js${query}`);
		assert.deepEqual([answer.statusCode, answer.json().error.code], [status, code], query);
		const head = await app.inject({ method: "HEAD", url: `/t.js${query}` });
		assert.equal(head.statusCode, status, query);
	}
});

test("HEAD answers the headers of GET without a body", async () => {
	const get = await app.inject("/t.js?id=shop");
	const head = await app.inject({ method: "HEAD", url: "/t.js?id=shop" });
	assert.equal(head.statusCode, 200);
	assert.equal(head.body, "");
	assert.equal(head.headers.etag, get.headers.etag);
	assert.equal(head.headers["content-length"], get.headers["content-length"]);
	assert.equal(head.headers["content-type"], get.headers["content-type"]);
});

test("the script stays the same for the hour, so a cache gets 304; a new hour brings a new token", async () => {
	const tag = async () => String((await app.inject("/t.js?id=shop")).headers.etag);
	const first = await tag();
	now = Date.UTC(2026, 10, 21, 10, 59, 59);
	assert.equal(await tag(), first);
	for (const header of [first, `"other", ${first}`, first.replace("W/", ""), "*"]) {
		const answer = await app.inject({ url: "/t.js?id=shop", headers: { "if-none-match": header } });
		assert.equal(answer.statusCode, 304);
		assert.equal(answer.body, "");
		assert.equal(answer.headers.etag, first);
		assert.equal(answer.headers["cache-control"], "public,max-age=3600");
	}
	now = Date.UTC(2026, 10, 21, 11);
	assert.notEqual(await tag(), first);
	const changed = await app.inject({ url: "/t.js?id=shop", headers: { "if-none-match": first } });
	assert.equal(changed.statusCode, 200);
});

test("a browser gets the script packed by Brotli where it takes that, else by gzip, else as it is", async () => {
	const plain = await app.inject("/t.js?id=shop");
	assert.equal(plain.headers["content-encoding"], undefined);
	assert.equal(plain.headers.vary, "Accept-Encoding");
	const asked = (accepted: string) => app.inject({ url: "/t.js?id=shop", headers: { "accept-encoding": accepted } });
	const packed = await asked("gzip, deflate, br");
	assert.equal(packed.headers["content-encoding"], "br");
	assert.equal(brotliDecompressSync(packed.rawPayload).toString(), plain.body);
	assert.ok(packed.rawPayload.length <= 850, `${packed.rawPayload.length} bytes`);
	for (const accepted of ["gzip", "gzip, deflate", "br;q=0, GZIP;q=0.5", "br; q=0.00, gzip"]) {
		const byGzip = await asked(accepted);
		assert.equal(byGzip.headers["content-encoding"], "gzip");
		assert.equal(gunzipSync(byGzip.rawPayload).toString(), plain.body);
	}
	assert.equal((await asked("gzip;q=0, deflate, brr")).headers["content-encoding"], undefined);
});

test("of more than 30 new scripts in a minute and address the others are packed quickly and not kept", async () => {
	const bytes = async (group: string, remoteAddress = "203.0.113.9") => {
		const url = `/t.js?id=shop&group=${group}`;
		const answer = await app.inject({ url, headers: { "accept-encoding": "br" }, remoteAddress });
		assert.match(brotliDecompressSync(answer.rawPayload).toString(), new RegExp(group));
		return answer.rawPayload.length;
	};
	const sizes: number[] = [];
	for (let at = 0; at < 32; at++) sizes.push(await bytes(`g${String(at).padStart(2, "0")}`));
	const [well = 0, quickly = 0] = [Math.max(...sizes.slice(0, 30)), Math.min(...sizes.slice(30))];
	assert.ok(well < quickly, `${well} and ${quickly} bytes`);
	assert.equal(await bytes("g00"), sizes[0]);
	assert.ok((await bytes("g31", "203.0.113.10")) < quickly);
	now += 60_000;
	assert.ok((await bytes("g30")) < quickly);
});

test("without a public address the request's own is filled in, and no host can break out of its literal", async () => {
	const open = await appWith();
	const fromHost = await open.inject({ url: "/t.js?id=shop", headers: { host: "stats.test:8080" } });
	assert.match(fromHost.body, /:"http:\/\/stats\.test:8080\/"/);
	const hostile = await open.inject({ url: "/t.js?id=shop", headers: { host: 'a"+alert(1)+"</script>\u2028' } });
	if (hostile.statusCode === 200) {
		new Script(hostile.body);
		assert.doesNotMatch(hostile.body, /<\/script|[^\\]"\+alert/);
	}
	await open.close();
});
