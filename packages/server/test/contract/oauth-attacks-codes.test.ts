import assert from "node:assert/strict";
import { test } from "node:test";
import { signInAgain } from "../support/accounts.ts";
import { encoded, type Fields } from "../support/app-token.ts";
import { auditTrail } from "../support/audit-trail.ts";
import {
	ask,
	authorize,
	challengeOf,
	codeOf,
	decide,
	exchange,
	pendingRequest,
	postForm,
	publicUrl,
	redirectUri,
	refresh,
	refusal,
	registerClient,
	sharedScene,
	tokensIn,
	verifier,
} from "../support/oauth-flow.ts";
import { words } from "../support/words.ts";

const invalidCode = { error: "invalid_grant", error_description: "The code is not valid for this request" };

const scene = sharedScene();

test("from the app's request over the user's approval to tokens, with literal answers and an audit entry", async () => {
	const asked = await authorize(scene, { state: "a b&c" });
	const decided = await decide(scene, new URL(String(asked.headers.location)).searchParams.get("request_id") ?? "");
	assert.deepEqual([decided.statusCode, decided.headers["cache-control"]], [200, "no-store"]);
	const back = new URL(decided.json().data.redirect_to);
	const code = back.searchParams.get("code") ?? "";
	assert.match(code, /^oac_[A-Za-z0-9_-]{43}$/);
	assert.equal(back.href, `${redirectUri}?${new URLSearchParams({ code, state: "a b&c", iss: publicUrl })}`);
	const answer = await exchange(scene, code);
	assert.deepEqual([answer.headers["cache-control"], answer.headers.pragma], ["no-store", "no-cache"]);
	assert.equal(answer.headers["content-type"], "application/json; charset=utf-8");
	const { access_token: access, refresh_token: next, ...rest } = tokensIn(answer);
	assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read offline_access" });
	assert.match(access, /^oat_[A-Za-z0-9_-]{43}$/);
	assert.match(next, /^ort_[A-Za-z0-9_-]{43}$/);
	assert.equal((await ask(scene, access)).json().data.id, scene.site);
	const entry = (await auditTrail(scene.app, "oauth_grant.approved")).at(-1);
	const details = { client_id: scene.clientId, client_name: "An app", scopes: "analytics:read offline_access" };
	assert.deepEqual([entry?.user, entry?.details], [scene.owner.userId, details]);
});

test("without offline_access there is no refresh token; a scope that is left out is analytics:read", async () => {
	for (const scope of [undefined, "", "analytics:read"]) {
		const { access_token: _, ...rest } = tokensIn(await exchange(scene, await codeOf(scene, { scope })));
		assert.deepEqual(rest, { token_type: "Bearer", expires_in: 3600, scope: "analytics:read" });
	}
	const offline = tokensIn(await exchange(scene, await codeOf(scene, { scope: "offline_access" })));
	assert.equal((await ask(scene, offline.access_token)).statusCode, 200);
	assert.ok(offline.refresh_token);
});

test("a code opens nothing but the token endpoint", async () => {
	const response = await ask(scene, await codeOf(scene));
	assert.deepEqual([response.statusCode, response.json().error.code], [401, "token_invalid"]);
});

test("a code that fails a check stays good for its app; used again it ends its tokens", async () => {
	const clientId = await registerClient(scene.app, redirectUri, "https://app.example/other");
	const own = { ...scene, clientId };
	const code = await codeOf(own);
	const wrong: readonly Fields[] = [
		{ client_id: await registerClient(scene.app, redirectUri) },
		{ redirect_uri: "https://app.example/other" },
		{ redirect_uri: `${redirectUri}/` },
		{ code: `${code}x` },
		// The victim's code in the attacker's browser, whose app holds the verifier of the attacker's own request.
		{ code_verifier: "b".repeat(43) },
		{ code_verifier: challengeOf(verifier) },
		{ code_verifier: `${verifier}A` },
		{ code_verifier: verifier.toUpperCase() },
		{ code_verifier: verifier.slice(0, 42) },
		{ code_verifier: "a".repeat(129) },
		{ code_verifier: `${verifier.slice(0, 42)}é+/=` },
	];
	for (const changes of wrong) {
		const response = await exchange(own, code, changes);
		assert.deepEqual([response.statusCode, response.json()], [400, invalidCode], JSON.stringify(changes));
		assert.equal(response.headers["cache-control"], "no-store");
	}
	for (const name of ["code", "code_verifier", "client_id", "grant_type"]) {
		assert.deepEqual(refusal(await exchange(own, code, { [name]: undefined })), [400, "invalid_request"], name);
	}
	for (const changes of [{ code_verifier: "" }, { resource: `${publicUrl}/mcp` }]) {
		assert.deepEqual(refusal(await exchange(own, code, changes)), [400, "invalid_request"]);
	}
	const tokens = tokensIn(await exchange(own, code));
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
	assert.deepEqual(refusal(await exchange(own, code)), [400, "invalid_grant"]);
	const refused = await ask(scene, tokens.access_token);
	assert.deepEqual([refused.statusCode, refused.json().error.code], [401, "token_invalid"]);
	assert.deepEqual(refusal(await refresh(own, tokens.refresh_token)), [400, "invalid_grant"]);
	const entry = (await auditTrail(scene.app, "oauth_grant.revoked")).at(-1);
	assert.deepEqual([entry?.user, entry?.details.reason], [scene.owner.userId, "an authorization code was used again"]);
});

test("a code that comes twice, in the address or as JSON is not read", async () => {
	const code = await codeOf(scene);
	const fields = {
		grant_type: "authorization_code",
		code,
		code_verifier: verifier,
		redirect_uri: redirectUri,
		client_id: scene.clientId,
	};
	const form = { "content-type": "application/x-www-form-urlencoded" };
	for (const request of [
		{ url: "", headers: form, payload: `${encoded(fields)}&code=${code}` },
		{ url: `?${encoded(fields)}`, headers: form, payload: "" },
		{ url: "", payload: fields },
	]) {
		const response = await scene.app.inject({ method: "POST", ...request, url: `/api/v1/oauth/token${request.url}` });
		assert.deepEqual(refusal(response), [400, "invalid_request"]);
	}
	tokensIn(await exchange(scene, code));
});

test("a token request with faults answers in the form of RFC 6749 and is not cached", async () => {
	const { clientId } = scene;
	const grant = (type: string): Fields => ({ grant_type: type, client_id: clientId });
	const token = { grant_type: "refresh_token", refresh_token: "x" };
	const others = words("password client_credentials implicit urn:ietf:params:oauth:grant-type:device_code toString");
	const faults: readonly [fields: Fields, status: number, error: string][] = [
		[{}, 400, "invalid_request"],
		...others.map((type): [Fields, number, string] => [grant(type), 400, "unsupported_grant_type"]),
		[grant("refresh_token"), 400, "invalid_request"],
		[token, 400, "invalid_request"],
		[{ ...token, client_id: "nobody" }, 401, "invalid_client"],
		[{ ...token, client_id: clientId }, 400, "invalid_grant"],
		[{ ...token, client_id: "https://a.example/c" }, 400, "invalid_grant"],
		[{ grant_type: "x".repeat(70_000) }, 413, "invalid_request"],
	];
	for (const [fields, status, error] of faults) {
		const response = await postForm(scene.app, "token", fields);
		const { statusCode, headers } = response;
		assert.deepEqual(
			[...refusal(response), headers["cache-control"], headers["www-authenticate"] !== undefined],
			[status, error, "no-store", status === 401],
			JSON.stringify(fields).slice(0, 100),
		);
		assert.deepEqual(Object.keys(response.json()), ["error", "error_description"], String(statusCode));
	}
	for (const [secret, more] of [
		[":", ""],
		[":secret", `&client_id=${clientId}`],
	] as const) {
		const response = await scene.app.inject({
			method: "POST",
			url: "/api/v1/oauth/token",
			headers: {
				"content-type": "application/x-www-form-urlencoded",
				authorization: `Basic ${btoa(`${clientId}${secret}`)}`,
			},
			payload: `${encoded(token)}${more}`,
		});
		assert.deepEqual(refusal(response), [401, "invalid_client"]);
		assert.ok(response.headers["www-authenticate"]);
	}
});

test("no code, token or verifier is in an error answer or in the log", async () => {
	const id = await pendingRequest(scene);
	const code = new URL((await decide(scene, id)).json().data.redirect_to).searchParams.get("code") ?? "";
	const wrong = "c".repeat(43);
	const { body } = await exchange(scene, code, { code_verifier: wrong });
	for (const secret of [code, wrong, verifier]) assert.ok(!body.includes(secret));
	const tokens = tokensIn(await exchange(scene, code));
	await postForm(scene.app, "revoke", { token: tokens.refresh_token });
	for (const secret of [code, wrong, verifier, tokens.access_token, tokens.refresh_token]) {
		assert.ok(!scene.app.logLines.some((line) => line.includes(secret)), "in the log");
	}
});

test("a code lives five minutes, to the millisecond", async () => {
	const [early, late] = [await codeOf(scene), await codeOf(scene)];
	scene.app.clock.advance(5 * 60_000 - 1);
	tokensIn(await exchange(scene, early));
	scene.app.clock.advance(1);
	assert.deepEqual(refusal(await exchange(scene, late)), [400, "invalid_grant"]);
	scene.owner = await signInAgain(scene.app, scene.owner);
});
