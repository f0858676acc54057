import assert from "node:assert/strict";
import { test } from "node:test";
import type { InjectOptions } from "fastify";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { allowlistClient, OFFICE, OUTSIDE } from "../support/allowlist-client.ts";
import { auditTrail } from "../support/audit-trail.ts";
import * as oauth from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";
import { words } from "../support/words.ts";

const HALF_AN_HOUR = 30 * 60_000;
const invalidCode = { error: "invalid_grant", error_description: "The code is not valid for this request" };
const gone = { code: "not_found", message: "The request has expired or was already answered" };

const scene = oauth.sharedScene();

type Headers = Readonly<Record<string, string>>;
type Response = Awaited<ReturnType<typeof oauth.decide>>;
type Connection = Readonly<Record<"client_id" | "site_id", string>> & { readonly scopes: readonly string[] };

const get = (path: string, headers: Headers = {}) => scene.app.inject(requestOf(`GET ${path}`, { headers }));
const details = (id: string, headers: Headers = {}) => get(`/oauth/consent/${id}`, headers);
const errorIn = (response: Response) => [response.statusCode, response.json().error];
const connections = async (headers: Headers = scene.owner.headers) =>
	(await get("/oauth/connections", headers)).json<{ data: Connection[] }>().data;

test("a holder of a request's id reads what the app asks for; a signed-in user also what to choose from", async () => {
	const clientId = await oauth.registerClient(scene.app, "cursor://oauth/cb");
	const resource = `${oauth.publicUrl}/mcp`;
	const changes = { client_id: clientId, redirect_uri: "cursor://oauth/cb", resource, scope: "analytics:read" };
	const id = await oauth.pendingRequest(scene, changes);
	const client = { client_id: clientId, client_name: "An app", redirect_host: "cursor:" };
	const expires_at = new Date(scene.app.clock.now() + HALF_AN_HOUR).toISOString();
	const request = { request_id: id, client, scopes: ["analytics:read"], resource, expires_at };
	assert.deepEqual((await details(id)).json().data, { ...request, user: null, sites: [] });
	assert.deepEqual((await details(id, scene.owner.headers)).json().data, {
		...request,
		user: { id: scene.owner.userId, email: scene.owner.email },
		sites: [{ id: scene.site, name: "Shop" }],
	});
});

test("request ids are random, and guessed or ill-formed ones answer 404", async () => {
	const ids = await Promise.all(Array.from({ length: 20 }, () => oauth.pendingRequest(scene)));
	for (const id of ids) assert.match(id, /^[\w-]{43}$/);
	assert.equal(new Set(ids.map((id) => id.slice(0, 6))).size, 20);
	const [id = ""] = ids;
	const texts = ["x", "..%2F..%2Fusers", "%00", "1", "' OR 1=1 --", "a".repeat(500)];
	for (const guess of [id.slice(1), `${id}x`, id.toUpperCase(), ...texts]) {
		const encoded = encodeURIComponent(guess);
		assert.deepEqual(errorIn(await details(encoded)), [404, gone], guess);
		assert.deepEqual(errorIn(await oauth.decide(scene, encoded)), [404, gone], guess);
	}
	assert.equal((await details(id)).statusCode, 200);
});

test("a form, of whatever type it says to be, decides nothing", async () => {
	const id = await oauth.pendingRequest(scene);
	for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
		const headers = { ...scene.owner.headers, "content-type": type };
		const body = `decision=approve&site_id=${scene.site}`;
		const sent = await scene.app.inject(requestOf(`POST /oauth/consent/${id}/decision`, { headers, body }));
		assert.equal(sent.statusCode, 400, type);
	}
	assert.equal((await details(id)).statusCode, 200);
});

test("a site out of reach, an unknown one or none cannot be approved; the request stays open, also for whom one is in reach", async () => {
	const mallory = await signIn(scene.app, { email: "mallory@example.com" });
	const theirs = await createSite(scene.app, mallory, { name: "Theirs" });
	const id = await oauth.pendingRequest(scene);
	for (const site of [theirs, "no-such-site", "Not A Slug"]) {
		const refused = await oauth.decide(scene, id, { body: { decision: "approve", site_id: site } });
		assert.deepEqual(errorIn(refused), [403, { code: "forbidden", message: `Access denied to account: ${site}` }]);
	}
	for (const [body, field] of [
		[{ decision: "approve" }, "site_id"],
		[{ decision: "approve", site_id: "" }, "site_id"],
		[{ decision: "maybe", site_id: scene.site }, "decision"],
		[{ site_id: scene.site }, "decision"],
	] as const) {
		const refused = await oauth.decide(scene, id, { body });
		assert.deepEqual([refused.statusCode, refused.json().error.detail[0].field], [422, `body.${field}`]);
	}
	assert.equal((await oauth.decide({ ...scene, site: theirs }, id, { as: mallory })).statusCode, 200);
	const [connection, ...others] = await connections(mallory.headers);
	assert.deepEqual([connection?.site_id, others], [theirs, []]);
});

test("a denied request goes back with access_denied and leaves no connection; no request is decided twice", async () => {
	const clientId = await oauth.registerClient(scene.app);
	const denied = await oauth.pendingRequest(scene, { client_id: clientId });
	const approved = await oauth.pendingRequest(scene);
	const answer = await oauth.decide(scene, denied, { body: { decision: "deny" } });
	const refused = { error: "access_denied", error_description: "The user denied the request" };
	const back = new URL(answer.json().data.redirect_to).searchParams;
	assert.deepEqual(Object.fromEntries(back), { ...refused, state: "af0ifjsldkj", iss: oauth.publicUrl });
	assert.ok(!(await connections()).some((grant) => grant.client_id === clientId));
	assert.equal((await oauth.decide(scene, approved)).statusCode, 200);
	for (const id of [denied, approved]) {
		assert.deepEqual(errorIn(await details(id, scene.owner.headers)), [404, gone]);
		assert.deepEqual(errorIn(await oauth.decide(scene, id)), [404, gone]);
	}
});

test("a decision cannot change what was asked", async () => {
	const clientId = await oauth.registerClient(scene.app);
	const id = await oauth.pendingRequest(scene, { client_id: clientId, scope: "analytics:read" });
	const more = { scopes: ["analytics:read", "offline_access"], redirect_uri: "https://evil.example/", client_id: "x" };
	const response = await oauth.decide(scene, id, { body: { decision: "approve", site_id: scene.site, ...more } });
	assert.equal(new URL(response.json().data.redirect_to).host, "app.example");
	const grant = (await connections()).find((one) => one.client_id === clientId);
	assert.deepEqual(grant?.scopes, ["analytics:read"]);
});

test("the pages refuse frames and foreign scripts, and show an app's name as text", async () => {
	const clientId = await oauth.registerApp(scene.app, { client_name: `<img src=x onerror=alert(1)>"'&amp;` });
	const page = oauth.locationOf(await oauth.authorize(scene, { client_id: clientId }));
	for (const url of [page.pathname + page.search, `${page.pathname}?request_id=unknown`]) {
		const { headers, body } = await scene.app.inject({ url });
		const policy = String(headers["content-security-policy"]);
		assert.match(policy, /default-src 'none'.*base-uri 'none'.*frame-ancestors 'none'/);
		assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
		assert.equal(headers["x-frame-options"], "DENY");
		assert.match(String(headers["referrer-policy"]), /^(no-referrer|same-origin)$/);
		assert.equal(headers["x-content-type-options"], "nosniff");
		assert.match(String(headers["cache-control"]), /no-store/);
		assert.doesNotMatch(body, /<script|<img/i);
		assert.equal(body.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;amp;"), !url.endsWith("unknown"));
	}
});

test("a site whose allowlist shuts this address cannot be chosen, and the list holds for apps as for keys", async () => {
	const site = await createSite(scene.app, scene.owner, { name: "Shut" });
	const { access_token: token } = await oauth.tokensFor({ ...scene, site });
	const list = allowlistClient(scene.app, scene.owner, site);
	await list.allow(OFFICE);
	const id = await oauth.pendingRequest(scene);
	const outside = { ...scene.owner.headers, "x-forwarded-for": OUTSIDE };
	const { sites } = (await details(id, outside)).json().data;
	assert.ok(!sites.some((one: { id: string }) => one.id === site));
	const detail = [{ field: "ip_address", message: OUTSIDE, type: "ip_not_allowed" }];
	const shut = { code: "forbidden", message: "Access from this IP address is not allowed", detail };
	assert.deepEqual(errorIn(await oauth.decide({ ...scene, site }, id, { as: { headers: outside } })), [403, shut]);
	const read = (from: string) => get(`/sites/${site}`, { authorization: `Bearer ${token}`, "x-forwarded-for": from });
	assert.deepEqual(errorIn(await read(OUTSIDE)), [403, shut]);
	assert.equal((await read(OFFICE)).statusCode, 200);
	const { attempts }: { attempts: Record<string, unknown>[] } = (await list.call("GET /audit")).data;
	const byApp = attempts.filter((log) => log.auth_type === "oauth");
	assert.deepEqual(Object.fromEntries(byApp.map((log) => [log.ip_address, log.access_granted])), {
		[OFFICE]: true,
		[OUTSIDE]: false,
	});
});

test("from the app's request over the user's approval to tokens, with literal answers and an audit entry", async () => {
	const decided = await oauth.decide(scene, await oauth.pendingRequest(scene, { state: "a b&c" }));
	assert.deepEqual([decided.statusCode, decided.headers["cache-control"]], [200, "no-store"]);
	const back = new URL(decided.json().data.redirect_to);
	const code = back.searchParams.get("code") ?? "";
	assert.match(code, /^oac_[A-Za-z0-9_-]{43}$/);
	const query = new URLSearchParams({ code, state: "a b&c", iss: oauth.publicUrl });
	assert.equal(back.href, `${oauth.redirectUri}?${query}`);
	const answer = await oauth.exchange(scene, code);
	assert.deepEqual([answer.headers["cache-control"], answer.headers.pragma], ["no-store", "no-cache"]);
	assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
	const { access_token: access, refresh_token: next, ...rest } = oauth.tokensIn(answer);
	assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read offline_access" });
	assert.match(access, /^oat_[A-Za-z0-9_-]{43}$/);
	assert.match(next, /^ort_[A-Za-z0-9_-]{43}$/);
	assert.equal((await oauth.ask(scene, access)).json().data.id, scene.site);
	const entry = (await auditTrail(scene.app, "oauth_grant.approved")).at(-1);
	const details = { client_id: scene.clientId, client_name: "An app", scopes: "analytics:read offline_access" };
	assert.deepEqual([entry?.user, entry?.details], [scene.owner.userId, details]);
});

test("without offline_access there is no refresh token; a scope that is left out is analytics:read", async () => {
	for (const scope of [undefined, "", "analytics:read"]) {
		const { access_token: _, ...rest } = await oauth.tokensFor(scene, { scope });
		assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read" });
	}
	const offline = await oauth.tokensFor(scene, { scope: "offline_access" });
	assert.equal((await oauth.ask(scene, offline.access_token)).statusCode, 200);
	assert.ok(offline.refresh_token);
});

test("a code opens nothing but the token endpoint", async () => {
	const response = await oauth.ask(scene, await oauth.codeOf(scene));
	assert.deepEqual([response.statusCode, response.json().error.code], [401, "token_invalid"]);
});

test("a code that fails a check stays good for its app; used again it ends its tokens", async () => {
	const clientId = await oauth.registerClient(scene.app, oauth.redirectUri, "https://app.example/other");
	const own = { ...scene, clientId };
	const code = await oauth.codeOf(own);
	const wrong: readonly oauth.Fields[] = [
		{ client_id: await oauth.registerClient(scene.app, oauth.redirectUri) },
		{ redirect_uri: "https://app.example/other" },
		{ redirect_uri: `${oauth.redirectUri}/` },
		{ code: `${code}x` },
		// The victim's code in the attacker's browser, whose app holds the verifier of the attacker's own request.
		{ code_verifier: "b".repeat(43) },
		{ code_verifier: oauth.challengeOf(oauth.verifier) },
		{ code_verifier: `${oauth.verifier}A` },
		{ code_verifier: oauth.verifier.toUpperCase() },
		{ code_verifier: oauth.verifier.slice(0, 42) },
		{ code_verifier: "a".repeat(129) },
		{ code_verifier: `${oauth.verifier.slice(0, 42)}é+/=` },
	];
	for (const changes of wrong) {
		const response = await oauth.exchange(own, code, changes);
		assert.deepEqual([response.statusCode, response.json()], [400, invalidCode], JSON.stringify(changes));
		assert.equal(response.headers["cache-control"], "no-store");
	}
	const missing = words("code code_verifier client_id grant_type").map((name): oauth.Fields => ({ [name]: undefined }));
	for (const changes of [...missing, { code_verifier: "" }, { resource: `${oauth.publicUrl}/mcp` }]) {
		const answer = await oauth.exchange(own, code, changes);
		assert.deepEqual(oauth.refusal(answer), [400, "invalid_request"], Object.keys(changes).join());
	}
	const tokens = oauth.tokensIn(await oauth.exchange(own, code));
	assert.equal((await oauth.ask(scene, tokens.access_token)).statusCode, 200);
	assert.deepEqual(oauth.refusal(await oauth.exchange(own, code)), [400, "invalid_grant"]);
	const refused = await oauth.ask(scene, tokens.access_token);
	assert.deepEqual([refused.statusCode, refused.json().error.code], [401, "token_invalid"]);
	assert.deepEqual(oauth.refusal(await oauth.refresh(own, tokens.refresh_token)), [400, "invalid_grant"]);
	const entry = (await auditTrail(scene.app, "oauth_grant.revoked")).at(-1);
	assert.deepEqual([entry?.user, entry?.details.reason], [scene.owner.userId, "an authorization code was used again"]);
});

const form = { "content-type": "application/x-www-form-urlencoded" };
const sendToken = (request: Pick<InjectOptions, "headers" | "payload" | "query">) =>
	scene.app.inject({ method: "POST", url: "/api/v1/oauth/token", ...request });

test("a code that comes twice, in the address or as JSON is not read", async () => {
	const code = await oauth.codeOf(scene);
	const proof = { code, code_verifier: oauth.verifier, redirect_uri: oauth.redirectUri };
	const fields = { grant_type: "authorization_code", client_id: scene.clientId, ...proof };
	for (const request of [
		{ headers: form, payload: `${oauth.encoded(fields)}&code=${code}` },
		{ query: oauth.encoded(fields), headers: form, payload: "" },
		{ payload: fields },
	]) {
		assert.deepEqual(oauth.refusal(await sendToken(request)), [400, "invalid_request"]);
	}
	oauth.tokensIn(await oauth.exchange(scene, code));
});

test("a token request with faults answers in the form of RFC 6749 and is not cached", async () => {
	const { clientId } = scene;
	const grant = (type: string): oauth.Fields => ({ grant_type: type, client_id: clientId });
	const token = { grant_type: "refresh_token", refresh_token: "x" };
	const others = words("password client_credentials implicit urn:ietf:params:oauth:grant-type:device_code toString");
	const faults: readonly [fields: oauth.Fields, status: number, error: string][] = [
		[{}, 400, "invalid_request"],
		...others.map((type): [oauth.Fields, number, string] => [grant(type), 400, "unsupported_grant_type"]),
		[grant("refresh_token"), 400, "invalid_request"],
		[token, 400, "invalid_request"],
		[{ ...token, client_id: "nobody" }, 401, "invalid_client"],
		[{ ...token, client_id: clientId }, 400, "invalid_grant"],
		[{ ...token, client_id: "https://a.example/c" }, 400, "invalid_grant"],
		[{ grant_type: "x".repeat(70_000) }, 413, "invalid_request"],
	];
	for (const [fields, status, error] of faults) {
		const response = await oauth.postForm(scene.app, "token", fields);
		const { "cache-control": cache, "www-authenticate": challenge } = response.headers;
		const answer = [...oauth.refusal(response), cache, challenge !== undefined, Object.keys(response.json()).join()];
		const expected = [status, error, "no-store", status === 401, "error,error_description"];
		assert.deepEqual(answer, expected, JSON.stringify(fields).slice(0, 100));
	}
	for (const secret of ["", "secret"]) {
		const headers = { ...form, authorization: `Basic ${btoa(`${clientId}:${secret}`)}` };
		const payload = oauth.encoded({ ...token, client_id: secret ? clientId : undefined });
		const response = await sendToken({ headers, payload });
		assert.deepEqual(oauth.refusal(response), [401, "invalid_client"]);
		assert.ok(response.headers["www-authenticate"]);
	}
});

test("no code, token or verifier is in an error answer or in the log", async () => {
	const code = await oauth.codeOf(scene);
	const wrong = "c".repeat(43);
	const { body } = await oauth.exchange(scene, code, { code_verifier: wrong });
	for (const secret of [code, wrong, oauth.verifier]) assert.ok(!body.includes(secret));
	const tokens = oauth.tokensIn(await oauth.exchange(scene, code));
	await oauth.postForm(scene.app, "revoke", { token: tokens.refresh_token });
	for (const secret of [code, wrong, oauth.verifier, tokens.access_token, tokens.refresh_token]) {
		assert.ok(!scene.app.logLines.some((line) => line.includes(secret)), "in the log");
	}
});

test("a code lives five minutes, to the millisecond", async () => {
	const [early, late] = [await oauth.codeOf(scene), await oauth.codeOf(scene)];
	scene.app.clock.advance(5 * 60_000 - 1);
	oauth.tokensIn(await oauth.exchange(scene, early));
	scene.app.clock.advance(1);
	assert.deepEqual(oauth.refusal(await oauth.exchange(scene, late)), [400, "invalid_grant"]);
	scene.owner = await signInAgain(scene.app, scene.owner);
});

test("a request waits thirty minutes, to the millisecond", async () => {
	const [early, late] = [await oauth.pendingRequest(scene), await oauth.pendingRequest(scene)];
	scene.app.clock.advance(HALF_AN_HOUR - 1);
	scene.owner = await signInAgain(scene.app, scene.owner);
	assert.equal((await oauth.decide(scene, early)).statusCode, 200);
	scene.app.clock.advance(1);
	assert.deepEqual(errorIn(await details(late)), [404, gone]);
	assert.deepEqual(errorIn(await oauth.decide(scene, late)), [404, gone]);
});
