import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { signInAgain } from "../support/accounts.ts";
import type { Fields } from "../support/app-token.ts";
import {
	approved,
	ask,
	authorize,
	challengeOf,
	codeOf,
	exchange,
	locationOf,
	type OAuthScene,
	oauthScene,
	postForm,
	publicUrl,
	redirectUri,
	refresh,
	refusal,
	registerClient,
	tokensIn,
	verifier,
} from "../support/oauth-flow.ts";

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

test("an approved request comes back with code, state and the issuer, and nothing else", async () => {
	const url = await approved(scene);
	assert.equal(url.origin + url.pathname, redirectUri);
	assert.deepEqual([...url.searchParams.keys()].sort(), ["code", "iss", "state"]);
	assert.equal(url.searchParams.get("state"), "af0ifjsldkj");
	assert.equal(url.searchParams.get("iss"), publicUrl);
});

test("a code opens nothing but the token endpoint", async () => {
	const code = await codeOf(scene);
	const response = await ask(scene, code);
	assert.deepEqual([response.statusCode, response.json().error.code], [401, "token_invalid"]);
});

test("a code that comes twice ends the tokens of the first time", async () => {
	const code = await codeOf(scene);
	const tokens = tokensIn(await exchange(scene, code));
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 200);
	assert.deepEqual(refusal(await exchange(scene, code)), [400, "invalid_grant"]);
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	assert.deepEqual(refusal(await refresh(scene, tokens.refresh_token)), [400, "invalid_grant"]);
});

test("of two exchanges of one code at once at most one gets tokens, and they work no longer", async () => {
	const code = await codeOf(scene);
	const responses = await Promise.all(Array.from({ length: 5 }, () => exchange(scene, code)));
	const won = responses.filter(({ statusCode }) => statusCode === 200);
	assert.equal(won.length, 1);
	for (const response of responses) {
		if (response !== won[0]) assert.deepEqual(refusal(response), [400, "invalid_grant"]);
	}
	for (const response of won) assert.equal((await ask(scene, tokensIn(response).access_token)).statusCode, 401);
});

test("a code lives five minutes, to the second", async () => {
	const [early, late] = [await codeOf(scene), await codeOf(scene)];
	scene.app.clock.advance(299_000);
	tokensIn(await exchange(scene, early));
	scene.app.clock.advance(1000);
	assert.deepEqual(refusal(await exchange(scene, late)), [400, "invalid_grant"]);
	scene = { ...scene, owner: await signInAgain(scene.app, scene.owner) };
});

test("a code that was made for one app is worth nothing in another", async () => {
	const other = await registerClient(scene.app, redirectUri);
	const code = await codeOf(scene);
	assert.deepEqual(refusal(await exchange(scene, code, { client_id: other })), [400, "invalid_grant"]);
});

test("a code injected into another sign-in of the same app fails there", async () => {
	// The victim's code reaches the attacker's browser, whose app holds the verifier of the attacker's own request.
	const code = await codeOf(scene);
	const attackers = "b".repeat(43);
	assert.deepEqual(refusal(await exchange(scene, code, { code_verifier: attackers })), [400, "invalid_grant"]);
});

test("a code goes only with the redirect address that it was made for", async () => {
	const clientId = await registerClient(scene.app, redirectUri, "https://app.example/other");
	const own = { ...scene, clientId };
	const wrong = await exchange(own, await codeOf(own), { redirect_uri: "https://app.example/other" });
	assert.deepEqual(refusal(wrong), [400, "invalid_grant"]);
});

for (const [title, changes] of [
	["no code", { code: undefined }],
	["no verifier", { code_verifier: undefined }],
	["an empty verifier", { code_verifier: "" }],
	["no client", { client_id: undefined }],
	["no grant type", { grant_type: undefined }],
] satisfies [string, Fields][]) {
	test(`a token request with ${title} is an invalid request`, async () => {
		const response = await exchange(scene, await codeOf(scene), changes);
		assert.deepEqual(refusal(response), [400, "invalid_request"]);
	});
}

for (const [title, wrong] of [
	["the challenge itself", challengeOf(verifier)],
	["a longer text with the verifier in it", `${verifier}A`],
	["the verifier in other case", verifier.toUpperCase()],
	["42 characters", verifier.slice(0, 42)],
	["129 characters", "a".repeat(129)],
	["characters that no verifier has", `${verifier.slice(0, 42)}é+/=`],
] as const) {
	test(`no tokens for a verifier that is ${title}`, async () => {
		const response = await exchange(scene, await codeOf(scene), { code_verifier: wrong });
		assert.deepEqual(refusal(response), [400, "invalid_grant"]);
	});
}

for (const [title, changes] of [
	["the method plain", { code_challenge_method: "plain", code_challenge: verifier }],
	["no method, which means plain", { code_challenge_method: undefined }],
	["an unknown method", { code_challenge_method: "S512" }],
	["a method in other case", { code_challenge_method: "s256" }],
	["no challenge", { code_challenge: undefined }],
	["no challenge and no method", { code_challenge: undefined, code_challenge_method: undefined }],
	["an empty challenge", { code_challenge: "" }],
	["a challenge of 42 characters", { code_challenge: challengeOf(verifier).slice(1) }],
	["a challenge of 44 characters", { code_challenge: `${challengeOf(verifier)}=` }],
	["a challenge that is not base64url", { code_challenge: `${challengeOf(verifier).slice(1)}+` }],
] satisfies [string, Fields][]) {
	test(`an authorization request with ${title} goes back as an invalid request`, async () => {
		const url = locationOf(await authorize(scene, changes));
		assert.equal(url.origin + url.pathname, redirectUri);
		assert.equal(url.searchParams.get("error"), "invalid_request");
		assert.equal(url.searchParams.get("state"), "af0ifjsldkj");
		assert.equal(url.searchParams.get("iss"), publicUrl);
		assert.equal(url.searchParams.get("code"), null);
	});
}

test("a faulty request names no token, code or verifier in its answer or in the log", async () => {
	const code = await codeOf(scene);
	const response = await exchange(scene, code, { code_verifier: "c".repeat(43) });
	for (const secret of [code, "c".repeat(43), verifier]) {
		assert.ok(!response.body.includes(secret));
		assert.ok(!scene.app.logLines.some((line) => line.includes(secret)), "in the log");
	}
});

test("no secret of a flow is in the log or, in the clear, in the store", async () => {
	const code = await codeOf(scene);
	const tokens = tokensIn(await exchange(scene, code));
	await postForm(scene.app, "revoke", { token: tokens.refresh_token });
	for (const secret of [code, tokens.access_token, tokens.refresh_token, verifier]) {
		assert.ok(!scene.app.logLines.some((line) => line.includes(secret)), "in the log");
	}
});

for (const grantType of [
	"password",
	"client_credentials",
	"implicit",
	"urn:ietf:params:oauth:grant-type:device_code",
]) {
	test(`the grant type ${grantType} does not exist`, async () => {
		const response = await postForm(scene.app, "token", { grant_type: grantType, client_id: scene.clientId });
		assert.deepEqual(refusal(response), [400, "unsupported_grant_type"]);
	});
}

for (const responseType of ["token", "id_token", "code token", "code id_token"]) {
	test(`the response type "${responseType}" does not exist`, async () => {
		const url = locationOf(await authorize(scene, { response_type: responseType }));
		assert.equal(url.searchParams.get("error"), "unsupported_response_type");
		assert.equal(url.hash, "");
	});
}

test("every answer of the token endpoint is kept by no cache", async () => {
	const code = await codeOf(scene);
	for (const response of [await exchange(scene, code), await exchange(scene, code)]) {
		assert.equal(response.headers["cache-control"], "no-store");
		assert.equal(response.headers["content-type"], "application/json; charset=utf-8");
	}
});

test("a parameter that comes twice is an invalid request", async () => {
	const code = await codeOf(scene);
	const body = `grant_type=authorization_code&code=${code}&code=${code}&client_id=${scene.clientId}&redirect_uri=${encodeURIComponent(redirectUri)}&code_verifier=${verifier}`;
	const response = await scene.app.inject({
		method: "POST",
		url: "/api/v1/oauth/token",
		headers: { "content-type": "application/x-www-form-urlencoded" },
		payload: body,
	});
	assert.deepEqual(refusal(response), [400, "invalid_request"]);
});

test("secrets in the address of a token request are not read", async () => {
	const code = await codeOf(scene);
	const fields = new URLSearchParams({
		grant_type: "authorization_code",
		code,
		code_verifier: verifier,
		redirect_uri: redirectUri,
		client_id: scene.clientId,
	});
	const response = await scene.app.inject({
		method: "POST",
		url: `/api/v1/oauth/token?${fields}`,
		headers: { "content-type": "application/x-www-form-urlencoded" },
		payload: "",
	});
	assert.deepEqual(refusal(response), [400, "invalid_request"]);
	const json = await scene.app.inject({
		method: "POST",
		url: "/api/v1/oauth/token",
		payload: Object.fromEntries(fields),
	});
	assert.deepEqual(refusal(json), [400, "invalid_request"]);
	tokensIn(await exchange(scene, code));
});
