import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { createSite, signIn, signInAgain } from "../support/accounts.ts";
import { authorize, decide, locationOf, type OAuthScene, oauthScene, pendingRequest } from "../support/oauth-flow.ts";
import { cookiesOf } from "../support/oauth-people.ts";

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

const details = (id: string) => scene.app.inject({ url: `/api/v1/oauth/consent/${id}` });

test("request ids are no counters: 128 bits or more, and none is like another", async () => {
	const ids = await Promise.all(Array.from({ length: 20 }, () => pendingRequest(scene)));
	assert.equal(new Set(ids).size, 20);
	for (const id of ids) assert.match(id, /^[\w-]{22,}$/);
	assert.equal(new Set(ids.map((id) => id.slice(0, 6))).size, 20);
});

test("guessed and ill-formed request ids all answer 404", async () => {
	const id = await pendingRequest(scene);
	const guesses = [
		id.slice(1),
		`${id}x`,
		id.toUpperCase(),
		"x",
		"..%2F..%2Fusers",
		"%00",
		"1",
		"' OR 1=1 --",
		"a".repeat(500),
	];
	for (const guess of guesses) {
		const url = `/api/v1/oauth/consent/${encodeURIComponent(guess)}`;
		const looked = await scene.app.inject({ url });
		assert.equal(looked.statusCode, 404, guess);
		const decided = await scene.app.inject({
			method: "POST",
			url: `${url}/decision`,
			headers: scene.owner.headers,
			payload: { decision: "approve", site_id: scene.site },
		});
		assert.equal(decided.statusCode, 404, guess);
	}
	assert.equal((await details(id)).statusCode, 200);
});

test("whoever is not signed in decides nothing", async () => {
	const id = await pendingRequest(scene);
	const response = await decide(scene, id, { as: { headers: {} } });
	assert.deepEqual([response.statusCode, response.json().error.code], [401, "unauthorized"]);
});

test("a cookie alone decides nothing: not without the token, not with one of another session", async () => {
	const id = await pendingRequest(scene);
	const cookies = await cookiesOf(scene.app, scene.owner);
	const { svc_access_token: access = "", svc_csrf_token: csrf = "" } = cookies;
	const foreign =
		(await cookiesOf(scene.app, await signIn(scene.app, { email: "eve@example.com" }))).svc_csrf_token ?? "";
	const send = (cookie: Record<string, string>, headers: Record<string, string> = {}) =>
		scene.app.inject({
			method: "POST",
			url: `/api/v1/oauth/consent/${id}/decision`,
			cookies: { svc_access_token: access, ...cookie },
			headers,
			payload: { decision: "approve", site_id: scene.site },
		});
	for (const response of [
		await send({}),
		await send({ svc_csrf_token: csrf }),
		await send({}, { "x-csrf-token": csrf }),
		await send({ svc_csrf_token: foreign }, { "x-csrf-token": foreign }),
		await send({ svc_csrf_token: "x" }, { "x-csrf-token": "x" }),
	]) {
		assert.deepEqual([response.statusCode, response.json().error.code], [403, "csrf_failed"]);
	}
	assert.equal((await send({ svc_csrf_token: csrf }, { "x-csrf-token": csrf })).statusCode, 200);
});

test("a form of another page decides nothing: the decision is JSON only", async () => {
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
	assert.equal((await details(id)).statusCode, 200);
});

test("an API key decides nothing", async () => {
	const made = await scene.app.inject({
		method: "POST",
		url: "/api/v1/api-tokens",
		headers: scene.owner.headers,
		payload: { name: "all", scopes: ["stats:read", "sites:read", "accounts:read"] },
	});
	const id = await pendingRequest(scene);
	const response = await decide(scene, id, { as: { headers: { "x-api-key": made.json().data.token } } });
	assert.equal(response.statusCode, 403, response.body);
});

test("a site of another tenant, an unknown one or none cannot be approved, and the request stays open", async () => {
	const mallory = await signIn(scene.app, { email: "mallory@example.com" });
	const theirs = await createSite(scene.app, mallory, { name: "Theirs" });
	const id = await pendingRequest(scene);
	const status = async (body: object) => (await decide(scene, id, { body })).statusCode;
	assert.equal(await status({ decision: "approve", site_id: theirs }), 403);
	assert.ok([403, 404].includes(await status({ decision: "approve", site_id: "no-such-site" })));
	assert.equal(await status({ decision: "approve" }), 422);
	assert.equal(await status({ decision: "approve", site_id: "" }), 422);
	assert.equal(await status({ decision: "maybe", site_id: scene.site }), 422);
	assert.equal(await status({ site_id: scene.site }), 422);
	assert.equal(await status({ decision: "approve", site_id: scene.site }), 200);
});

test("what another user approves gives that user's site, never the one who began", async () => {
	const bob = await signIn(scene.app, { email: "bob@example.com" });
	const id = await pendingRequest(scene);
	assert.equal((await decide(scene, id, { as: bob })).statusCode, 403);
	const own = await createSite(scene.app, bob, { name: "Bob" });
	assert.equal((await decide(scene, id, { as: bob, body: { decision: "approve", site_id: own } })).statusCode, 200);
	const grants = await scene.app.inject({ url: "/api/v1/oauth/connections", headers: bob.headers });
	assert.deepEqual(
		grants.json().data.map(({ site_id: site }: { site_id: string }) => site),
		[own],
	);
});

test("a request is decided once, whatever the first decision was, and by one of two at once", async () => {
	const denied = await pendingRequest(scene);
	const answer = await decide(scene, denied, { body: { decision: "deny" } });
	const url = new URL(answer.json().data.redirect_to);
	assert.equal(url.searchParams.get("error"), "access_denied");
	assert.equal(url.searchParams.get("code"), null);
	assert.equal(url.searchParams.get("iss"), "https://stats.example");
	assert.equal((await decide(scene, denied)).statusCode, 404);
	assert.equal((await details(denied)).statusCode, 404);
	const id = await pendingRequest(scene);
	const statuses = (await Promise.all(Array.from({ length: 4 }, () => decide(scene, id)))).map((r) => r.statusCode);
	assert.deepEqual(statuses.sort(), [200, 404, 404, 404]);
});

test("a request waits thirty minutes, to the second", async () => {
	const [early, late] = [await pendingRequest(scene), await pendingRequest(scene)];
	scene.app.clock.advance(1_799_000);
	scene = { ...scene, owner: await signInAgain(scene.app, scene.owner) };
	assert.equal((await decide(scene, early)).statusCode, 200);
	scene.app.clock.advance(1000);
	assert.equal((await details(late)).statusCode, 404);
	assert.equal((await decide(scene, late)).statusCode, 404);
});

test("a decision cannot change what was asked", async () => {
	const id = await pendingRequest(scene, { scope: "analytics:read" });
	const response = await decide(scene, id, {
		body: {
			decision: "approve",
			site_id: scene.site,
			scopes: ["analytics:read", "offline_access"],
			redirect_uri: "https://evil.example/",
			client_id: "x",
		},
	});
	assert.equal(new URL(response.json().data.redirect_to).host, "app.example");
	const grants = await scene.app.inject({ url: "/api/v1/oauth/connections", headers: scene.owner.headers });
	assert.deepEqual(grants.json().data.find((grant: { scopes: string[] }) => grant.scopes.length === 1)?.scopes, [
		"analytics:read",
	]);
});

test("the pages can be framed by nobody, run no foreign script, and send their address to nobody", async () => {
	const page = locationOf(await authorize(scene));
	for (const url of [page.pathname + page.search, `${page.pathname}?request_id=unknown`]) {
		const { headers, body } = await scene.app.inject({ url });
		const policy = String(headers["content-security-policy"]);
		assert.match(policy, /frame-ancestors 'none'/);
		assert.match(policy, /default-src 'none'/);
		assert.match(policy, /base-uri 'none'/);
		assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|\*/);
		assert.equal(headers["x-frame-options"], "DENY");
		assert.match(String(headers["referrer-policy"]), /^(no-referrer|same-origin)$/);
		assert.equal(headers["x-content-type-options"], "nosniff");
		assert.match(String(headers["cache-control"]), /no-store/);
		assert.doesNotMatch(body, /<script/i);
	}
});

test("an app's name is text on the page and in the answer, never markup", async () => {
	const name = `<img src=x onerror=alert(1)>"'&amp;`;
	const registered = await scene.app.inject({
		method: "POST",
		url: "/api/v1/oauth/register",
		payload: { redirect_uris: ["https://app.example/callback"], client_name: name },
	});
	const page = locationOf(await authorize(scene, { client_id: registered.json().client_id }));
	const { body } = await scene.app.inject({ url: page.pathname + page.search });
	assert.doesNotMatch(body, /<img/i);
	assert.ok(body.includes("&lt;img src=x onerror=alert(1)&gt;&quot;&#39;&amp;amp;"));
});

test("no page of another site may read what waits for a decision", async () => {
	const id = await pendingRequest(scene);
	const response = await scene.app.inject({
		url: `/api/v1/oauth/consent/${id}`,
		headers: { origin: "https://evil.example" },
		cookies: await cookiesOf(scene.app, scene.owner),
	});
	assert.notEqual(response.headers["access-control-allow-credentials"], "true");
});

test("someone without a session learns of the request, not of any user or site", async () => {
	const id = await pendingRequest(scene);
	const { data } = (await details(id)).json();
	assert.deepEqual([data.user ?? null, data.sites], [null, []]);
	assert.equal(data.client.redirect_host, "app.example");
});
