import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
	authorize,
	type OAuthScene,
	oauthScene,
	postForm,
	redirectUri,
	refusal,
	registerClient,
} from "../support/oauth-flow.ts";

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

for (const [title, payload, error] of [
	["no redirect addresses", {}, "invalid_redirect_uri"],
	["an empty list of them", { redirect_uris: [] }, "invalid_redirect_uri"],
	[
		"eleven of them",
		{ redirect_uris: Array.from({ length: 11 }, (_, i) => `${redirectUri}${i}`) },
		"invalid_redirect_uri",
	],
	["a text in place of the list", { redirect_uris: redirectUri }, "invalid_redirect_uri"],
	["a number in the list", { redirect_uris: [1] }, "invalid_redirect_uri"],
	["a name that is no text", { redirect_uris: [redirectUri], client_name: 7 }, "invalid_request"],
	["an endless name", { redirect_uris: [redirectUri], client_name: "x".repeat(10_000) }, "invalid_request"],
	[
		"a secret to sign in with",
		{ redirect_uris: [redirectUri], token_endpoint_auth_method: "client_secret_post" },
		"invalid_request",
	],
] as const) {
	test(`a registration with ${title} is refused`, async () => {
		const response = await scene.app.inject({ method: "POST", url: "/api/v1/oauth/register", payload });
		assert.equal(response.statusCode, 400, response.body);
		assert.ok([error, "invalid_request"].includes(response.json().error), response.body);
	});
}

for (const [title, character] of [
	["a line feed", "\n"],
	["a zero byte", "\0"],
	["a line separator", "\u2028"],
	["a paragraph separator", "\u2029"],
	["a right-to-left override", "\u202e"],
	["a right-to-left isolate", "\u2067"],
	["a mark of the other direction", "\u200f"],
	["half a character", "\ud83d"],
] as const) {
	test(`a name with ${title} is refused`, async () => {
		const payload = { redirect_uris: [redirectUri], client_name: `Foot${character}fall` };
		const response = await scene.app.inject({ method: "POST", url: "/api/v1/oauth/register", payload });
		assert.deepEqual(refusal(response), [400, "invalid_request"]);
	});
}

test("a name loses what nobody sees, so that it is shown as the text that it is", async () => {
	for (const [given, shown] of [
		["Foot\u200bfa\u200dll", "Footfall"],
		["\ufeffFoot\u00adfall\u2060", "Footfall"],
		["Foot\u{e0041}\u{e007f}fall\ufe0f", "Footfall"],
		["Foot \u3000 \u00a0fall", "Foot fall"],
		["\u3164\u2800\u200b", "MCP client"],
		["Größe 测试 ✨", "Größe 测试 ✨"],
	] as const) {
		const payload = { redirect_uris: [redirectUri], client_name: given };
		const response = await scene.app.inject({ method: "POST", url: "/api/v1/oauth/register", payload });
		assert.equal(response.json().client_name, shown, response.body);
	}
});

test("an app has no secret to show: not in a header, not in a form", async () => {
	for (const [headers, more] of [
		[{ authorization: `Basic ${btoa(`${scene.clientId}:`)}` }, ""],
		[{ authorization: `Basic ${btoa(`${scene.clientId}:secret`)}` }, `&client_id=${scene.clientId}`],
	] as const) {
		const response = await scene.app.inject({
			method: "POST",
			url: "/api/v1/oauth/token",
			headers: { "content-type": "application/x-www-form-urlencoded", ...headers },
			payload: `grant_type=refresh_token&refresh_token=x${more}`,
		});
		assert.deepEqual(refusal(response), [401, "invalid_client"]);
		assert.ok(response.headers["www-authenticate"]);
	}
});

test("a registration gives what was asked for, and what is unknown is not kept", async () => {
	const response = await scene.app.inject({
		method: "POST",
		url: "/api/v1/oauth/register",
		payload: {
			redirect_uris: [redirectUri],
			client_id: "chosen-by-the-app",
			client_secret: "x",
			scope: "admin",
			grant_types: ["password"],
			is_trusted: true,
		},
	});
	assert.equal(response.statusCode, 201);
	assert.equal(response.headers["cache-control"], "no-store");
	const { client_id: id, client_id_issued_at: issued, ...rest } = response.json();
	assert.notEqual(id, "chosen-by-the-app");
	assert.equal(issued, Date.parse("2026-11-21T12:00:00Z") / 1000);
	assert.deepEqual(rest, {
		client_name: "MCP client",
		redirect_uris: [redirectUri],
		token_endpoint_auth_method: "none",
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
	});
});

test("an address registers ten apps an hour; a flood from one does not stop another", async () => {
	const limited = await oauthScene({ env: { RATE_LIMIT_ENABLED: "true" } });
	try {
		const from = (ip: string) =>
			limited.app.inject({
				method: "POST",
				url: "/api/v1/oauth/register",
				headers: { "x-forwarded-for": ip },
				payload: { redirect_uris: [redirectUri] },
			});
		for (let time = 0; time < 10; time++) assert.equal((await from("203.0.113.7")).statusCode, 201);
		const refused = await from("203.0.113.7");
		assert.deepEqual(refusal(refused), [429, "invalid_request"]);
		assert.ok(Number(refused.headers["retry-after"]) > 0);
		assert.equal((await from("203.0.113.8")).statusCode, 201);
		limited.app.clock.advance(3_600_000);
		assert.equal((await from("203.0.113.7")).statusCode, 201);
	} finally {
		await limited.app.close();
	}
});

test("an address asks each other endpoint sixty times a minute", async () => {
	const limited = await oauthScene({ env: { RATE_LIMIT_ENABLED: "true" } });
	try {
		const clientId = await registerClient(limited.app);
		for (const [name, send] of [
			[
				"token",
				() => postForm(limited.app, "token", { grant_type: "refresh_token", refresh_token: "x", client_id: clientId }),
			],
			["revoke", () => postForm(limited.app, "revoke", { token: "x" })],
			["authorize", () => authorize({ ...limited, clientId })],
		] as const) {
			const statuses: number[] = [];
			for (let time = 0; time < 61; time++) statuses.push((await send()).statusCode);
			assert.equal(statuses.filter((status) => status === 429).length, 1, `${name}: ${statuses.join(" ")}`);
			assert.equal(statuses.at(-1), 429, name);
			const { error } = (await send()).json();
			assert.equal(error, "invalid_request", name);
		}
	} finally {
		await limited.app.close();
	}
});
