import assert from "node:assert/strict";
import { test } from "node:test";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import {
	authorize,
	decide,
	locationOf,
	pendingRequest,
	publicUrl,
	redirectUri,
	registerClient,
	sharedScene,
	tokensFor,
} from "../support/oauth-flow.ts";
import { requestOf } from "../support/request-of.ts";

const HALF_AN_HOUR = 30 * 60_000;
const gone = { code: "not_found", message: "The request has expired or was already answered" };

const scene = sharedScene();

type Headers = Readonly<Record<string, string>>;
type Response = Awaited<ReturnType<typeof decide>>;

const get = (path: string, headers: Headers = {}) => scene.app.inject(requestOf(`GET ${path}`, { headers }));
const post = (path: string, headers: Headers, body: object) =>
	scene.app.inject(requestOf(`POST ${path}`, { headers, body }));
const details = (id: string, headers: Headers = {}) => get(`/oauth/consent/${id}`, headers);
const errorIn = (response: Response) => [response.statusCode, response.json().error];

test("whoever has the id of a request reads what the app asks for; a signed-in user also what to choose from", async () => {
	const clientId = await registerClient(scene.app, "cursor://oauth/cb");
	const resource = `${publicUrl}/mcp`;
	const changes = { client_id: clientId, redirect_uri: "cursor://oauth/cb", resource, scope: "analytics:read" };
	const id = await pendingRequest(scene, changes);
	const request = {
		request_id: id,
		client: { client_id: clientId, client_name: "An app", redirect_host: "cursor:" },
		scopes: ["analytics:read"],
		resource,
		expires_at: new Date(scene.app.clock.now() + HALF_AN_HOUR).toISOString(),
	};
	assert.deepEqual((await details(id)).json().data, { ...request, user: null, sites: [] });
	assert.deepEqual((await details(id, scene.owner.headers)).json().data, {
		...request,
		user: { id: scene.owner.userId, email: scene.owner.email },
		sites: [{ id: scene.site, name: "Shop" }],
	});
	const foreign = await details(id, { origin: "https://evil.example" });
	assert.notEqual(foreign.headers["access-control-allow-credentials"], "true");
});

test("request ids are random, and guessed or ill-formed ones answer 404", async () => {
	const ids = await Promise.all(Array.from({ length: 20 }, () => pendingRequest(scene)));
	for (const id of ids) assert.match(id, /^[\w-]{43}$/);
	assert.equal(new Set(ids.map((id) => id.slice(0, 6))).size, 20);
	const [id = ""] = ids;
	const guesses = [id.slice(1), `${id}x`, id.toUpperCase(), "x", "..%2F..%2Fusers", "%00", "1", "' OR 1=1 --"];
	for (const guess of [...guesses, "a".repeat(500)]) {
		const encoded = encodeURIComponent(guess);
		assert.deepEqual(errorIn(await details(encoded)), [404, gone], guess);
		assert.deepEqual(errorIn(await decide(scene, encoded)), [404, gone], guess);
	}
	assert.equal((await details(id)).statusCode, 200);
});

test("a form, a missing session, a key and an impersonating superadmin decide nothing", async () => {
	const id = await pendingRequest(scene);
	for (const type of ["application/x-www-form-urlencoded", "text/plain", "multipart/form-data; boundary=x"]) {
		const response = await scene.app.inject({
			method: "POST",
			url: `/api/v1/oauth/consent/${id}/decision`,
			headers: { ...scene.owner.headers, "content-type": type },
			payload: `decision=approve&site_id=${scene.site}`,
		});
		assert.equal(response.statusCode, 400, type);
	}
	assert.equal((await decide(scene, id, { as: { headers: {} } })).statusCode, 401);
	const scopes = ["stats:read", "sites:read", "accounts:read"];
	const made = await post("/api-tokens", scene.owner.headers, { name: "all", scopes });
	const byKey = await decide(scene, id, { as: { headers: { "x-api-key": made.json().data.token } } });
	assert.deepEqual(errorIn(byKey), [403, { code: "forbidden", message: "Required scope: write" }]);
	const root = await signIn(scene.app, { email: "root@example.com", role: "superadmin" });
	const wish = { user_id: scene.owner.userId, reason: "To help" };
	const { access_token: token } = (await post("/admin/impersonate-user", root.headers, wish)).json().data;
	const headers = { authorization: `Bearer ${token}` };
	for (const response of [await decide(scene, id, { as: { headers } }), await get("/oauth/connections", headers)]) {
		assert.deepEqual([response.statusCode, response.json().error.message], [403, "Not allowed while impersonating"]);
	}
	assert.equal((await details(id)).statusCode, 200);
});

test("a site out of reach, an unknown one or none cannot be approved, and the request stays open", async () => {
	const mallory = await signIn(scene.app, { email: "mallory@example.com" });
	const theirs = await createSite(scene.app, mallory, { name: "Theirs" });
	const id = await pendingRequest(scene);
	for (const site of [theirs, "no-such-site", "Not A Slug"]) {
		const refused = await decide(scene, id, { body: { decision: "approve", site_id: site } });
		assert.deepEqual(errorIn(refused), [403, { code: "forbidden", message: `Access denied to account: ${site}` }]);
	}
	for (const [body, field] of [
		[{ decision: "approve" }, "site_id"],
		[{ decision: "approve", site_id: "" }, "site_id"],
		[{ decision: "maybe", site_id: scene.site }, "decision"],
		[{ site_id: scene.site }, "decision"],
	] as const) {
		const refused = await decide(scene, id, { body });
		assert.deepEqual([refused.statusCode, refused.json().error.detail[0].field], [422, `body.${field}`]);
	}
	assert.equal((await decide(scene, id)).statusCode, 200);
});

test("another user who approves gives an own site, never one of the user who began", async () => {
	const bob = await signIn(scene.app, { email: "bob@example.com" });
	const id = await pendingRequest(scene);
	assert.equal((await decide(scene, id, { as: bob })).statusCode, 403);
	const own = await createSite(scene.app, bob, { name: "Bob" });
	assert.equal((await decide(scene, id, { as: bob, body: { decision: "approve", site_id: own } })).statusCode, 200);
	const { data } = (await get("/oauth/connections", bob.headers)).json();
	assert.deepEqual(
		data.map(({ site_id: site }: { site_id: string }) => site),
		[own],
	);
});

test("a denied request goes back with access_denied and leaves no connection; no request is decided twice", async () => {
	const clientId = await registerClient(scene.app);
	const [denied, approved] = [await pendingRequest(scene, { client_id: clientId }), await pendingRequest(scene)];
	const answer = await decide(scene, denied, { body: { decision: "deny" } });
	assert.deepEqual(Object.fromEntries(new URL(answer.json().data.redirect_to).searchParams), {
		error: "access_denied",
		error_description: "The user denied the request",
		state: "af0ifjsldkj",
		iss: publicUrl,
	});
	const { data } = (await get("/oauth/connections", scene.owner.headers)).json();
	assert.ok(!data.some((grant: { client_id: string }) => grant.client_id === clientId));
	assert.equal((await decide(scene, approved)).statusCode, 200);
	for (const id of [denied, approved]) {
		assert.deepEqual(errorIn(await details(id, scene.owner.headers)), [404, gone]);
		assert.deepEqual(errorIn(await decide(scene, id)), [404, gone]);
	}
});

test("a decision cannot change what was asked", async () => {
	const clientId = await registerClient(scene.app);
	const id = await pendingRequest(scene, { client_id: clientId, scope: "analytics:read" });
	const more = { scopes: ["analytics:read", "offline_access"], redirect_uri: "https://evil.example/", client_id: "x" };
	const response = await decide(scene, id, { body: { decision: "approve", site_id: scene.site, ...more } });
	assert.equal(new URL(response.json().data.redirect_to).host, "app.example");
	const { data } = (await get("/oauth/connections", scene.owner.headers)).json();
	const grant = data.find((one: { client_id: string }) => one.client_id === clientId);
	assert.deepEqual(grant.scopes, ["analytics:read"]);
});

test("the pages refuse frames and foreign scripts, and show an app's name as text", async () => {
	const registered = await post(
		"/oauth/register",
		{},
		{ redirect_uris: [redirectUri], client_name: `<img src=x onerror=alert(1)>"'&amp;` },
	);
	const page = locationOf(await authorize(scene, { client_id: registered.json().client_id }));
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
	const { access_token: token } = await tokensFor({ ...scene, site });
	const account = `account_id=${site}`;
	const { headers } = scene.owner;
	await post(`/ip-allowlist/patterns?${account}`, headers, { pattern: "127.0.0.1" });
	const body = { is_enabled: true, enforce_for_dashboard: true, enforce_for_api_tokens: true };
	const set = await scene.app.inject(requestOf(`PUT /ip-allowlist/settings?${account}`, { headers, body }));
	assert.equal(set.statusCode, 200, set.body);
	const id = await pendingRequest(scene);
	const outside = { ...headers, "x-forwarded-for": "203.0.113.9" };
	const { sites } = (await details(id, outside)).json().data;
	assert.ok(!sites.some((one: { id: string }) => one.id === site));
	const refusal = {
		code: "forbidden",
		message: "Access from this IP address is not allowed",
		detail: [{ field: "ip_address", message: "203.0.113.9", type: "ip_not_allowed" }],
	};
	assert.deepEqual(errorIn(await decide({ ...scene, site }, id, { as: { headers: outside } })), [403, refusal]);
	const app = { authorization: `Bearer ${token}` };
	const read = await get(`/sites/${site}`, { ...app, "x-forwarded-for": "203.0.113.9" });
	assert.deepEqual(errorIn(read), [403, refusal]);
	assert.equal((await get(`/sites/${site}`, app)).statusCode, 200);
	const { attempts } = (await get(`/ip-allowlist/audit?${account}`, headers)).json().data;
	const byApp = attempts.filter((log: { auth_type: string }) => log.auth_type === "oauth");
	const seen = byApp.map((log: { ip_address: string; access_granted: boolean }) => [
		log.ip_address,
		log.access_granted,
	]);
	assert.deepEqual(Object.fromEntries(seen), { "127.0.0.1": true, "203.0.113.9": false });
});

test("a request waits thirty minutes, to the millisecond", async () => {
	const [early, late] = [await pendingRequest(scene), await pendingRequest(scene)];
	scene.app.clock.advance(HALF_AN_HOUR - 1);
	scene.owner = await signInAgain(scene.app, scene.owner);
	assert.equal((await decide(scene, early)).statusCode, 200);
	scene.app.clock.advance(1);
	assert.deepEqual(errorIn(await details(late)), [404, gone]);
	assert.deepEqual(errorIn(await decide(scene, late)), [404, gone]);
});
