import assert from "node:assert/strict";
import { test } from "node:test";
import { appTokens } from "../support/app-token.ts";
import {
	authorize,
	oauthScene,
	postForm,
	publicUrl,
	redirectUri,
	refusal,
	sharedScene,
} from "../support/oauth-flow.ts";
import { words } from "../support/words.ts";

const scene = sharedScene();

const register = (payload: object | string, headers = {}, { app } = scene) =>
	app.inject({
		method: "POST",
		url: "/api/v1/oauth/register",
		headers: { "content-type": "application/json", ...headers },
		payload,
	});

const list = "redirect_uris must be a list of 1 to 10 texts";
const name = "client_name must be a text of up to 255 characters, on one line";
const uris = { redirect_uris: [redirectUri] };

test("a registration with faults answers 400 in the form of RFC 7591", async () => {
	const faults: readonly [payload: object, error: string, description: string][] = [
		[[], "invalid_request", "The body must be a JSON object"],
		[{}, "invalid_redirect_uri", list],
		[{ redirect_uris: [] }, "invalid_redirect_uri", list],
		[{ redirect_uris: redirectUri }, "invalid_redirect_uri", list],
		[{ redirect_uris: [7] }, "invalid_redirect_uri", list],
		[{ redirect_uris: Array(11).fill(redirectUri) }, "invalid_redirect_uri", list],
		...["client_secret_basic", "client_secret_post"].map((method): [object, string, string] => [
			{ ...uris, token_endpoint_auth_method: method },
			"invalid_request",
			"token_endpoint_auth_method must be none",
		]),
		// Too long, several lines, another direction of writing, half a character.
		...[
			7,
			"x".repeat(256),
			..."\n\0\u2028\u2029\u202e\u2067\u200f".split("").map((sign) => `Foot${sign}fall`),
			"\ud83d",
		].map((text): [object, string, string] => [{ ...uris, client_name: text }, "invalid_request", name]),
		...Object.entries(badAddresses).flatMap(([fault, addresses]) =>
			addresses.map((uri): [object, string, string] => [
				{ redirect_uris: [redirectUri, uri] },
				"invalid_redirect_uri",
				`A redirect URI ${fault}`,
			]),
		),
	];
	for (const [payload, error, description] of faults) {
		const response = await register(payload);
		const answer = [response.statusCode, response.json()];
		assert.deepEqual(answer, [400, { error, error_description: description }], JSON.stringify(payload));
	}
	assert.deepEqual(refusal(await register("{")), [400, "invalid_request"]);
});

const badAddresses: Readonly<Record<string, readonly string[]>> = {
	"is not a URL": [
		"",
		"/callback",
		"//app.example/callback",
		"app.example/callback",
		" https://app.example/",
		"https://app.exam ple/callback",
		"https://app.example/call\nback",
		"https://app.example\\@evil.example/",
		"https://app.example/ä",
	],
	"has a fragment": ["https://app.example/#token", "https://app.example/#"],
	"has a user name or password": [
		"https://ann:secret@app.example/",
		"https://app.example@evil.example/",
		"http://localhost@evil.example/callback",
	],
	"names no host": [
		"https:app.example/cb",
		"https:/app.example/callback",
		"https:///app.example/cb",
		"https://*.app.example/cb",
	],
	"begins with http:// and is not loopback": words(`
		http://app.example/ http://127.0.0.2/ http://127.0.0.1.evil.example/callback http://localhost.evil.example/
		http://0.0.0.0:3000/callback http://10.0.0.1/callback
	`),
	"has a scheme that is not private to an app": words(`
		javascript:alert(1) JavaScript:alert(1) data:text/html,x vbscript:x blob:https://app.example/1
		file:///etc/passwd about:blank filesystem:https://app.example/x view-source:https://app.example/
		ftp://app.example/callback ws://app.example/callback wss://app.example/callback mailto:ann@example.com
		ms-msdt:/id zoommtg://x urn:ietf:wg:oauth:2.0:oob
	`),
	"has more than 1000 characters": [`https://app.example/${"x".repeat(1000)}`],
};

test("a registered name loses invisible characters", async () => {
	for (const [given, shown] of [
		["Foot\u200bfa\u200dll", "Footfall"],
		["\ufeffFoot\u00adfall\u2060", "Footfall"],
		["Foot\u{e0041}\u{e007f}fall\ufe0f", "Footfall"],
		["Foot \u3000 \u00a0fall", "Foot fall"],
		["\u3164\u2800\u200b", "MCP client"],
		["Größe 测试 ✨", "Größe 测试 ✨"],
	] as const) {
		const response = await register({ ...uris, client_name: given });
		assert.equal(response.json().client_name, shown, response.body);
	}
});

test("a registration answers what is kept, and ignores fields that an app cannot choose", async () => {
	const response = await register({
		redirect_uris: [redirectUri, "com.example.app:/cb"],
		client_id: "chosen-by-the-app",
		client_secret: "x",
		scope: "admin",
		grant_types: ["password"],
		is_trusted: true,
		logo_uri: "https://x",
		software_id: 7,
	});
	assert.equal(response.statusCode, 201);
	assert.equal(response.headers["cache-control"], "no-store");
	const { client_id: id, ...rest } = response.json();
	assert.match(id, /^[0-9a-f-]{36}$/);
	assert.deepEqual(rest, {
		client_id_issued_at: Date.parse("2026-11-21T12:00:00Z") / 1000,
		client_name: "MCP client",
		redirect_uris: [redirectUri, "com.example.app:/cb"],
		token_endpoint_auth_method: "none",
		grant_types: ["authorization_code", "refresh_token"],
		response_types: ["code"],
	});
});

test("the discovery documents are the promised ones, and may be cached for an hour", async () => {
	const api = `${publicUrl}/api/v1/oauth`;
	const resource = {
		resource: `${publicUrl}/mcp`,
		authorization_servers: [publicUrl],
		scopes_supported: ["analytics:read"],
		bearer_methods_supported: ["header"],
		resource_name: "Footfall",
	};
	for (const [path, expected] of Object.entries({
		"oauth-authorization-server": {
			issuer: publicUrl,
			authorization_endpoint: `${api}/authorize`,
			token_endpoint: `${api}/token`,
			registration_endpoint: `${api}/register`,
			revocation_endpoint: `${api}/revoke`,
			response_types_supported: ["code"],
			response_modes_supported: ["query"],
			grant_types_supported: ["authorization_code", "refresh_token"],
			code_challenge_methods_supported: ["S256"],
			token_endpoint_auth_methods_supported: ["none"],
			revocation_endpoint_auth_methods_supported: ["none"],
			scopes_supported: ["analytics:read", "offline_access"],
			authorization_response_iss_parameter_supported: true,
			client_id_metadata_document_supported: true,
			protected_resources: [`${publicUrl}/mcp`],
		},
		"oauth-protected-resource": resource,
		"oauth-protected-resource/mcp": resource,
	})) {
		const response = await scene.app.inject({ url: `/.well-known/${path}` });
		assert.equal(response.headers["cache-control"], "public, max-age=3600");
		assert.deepEqual(response.json(), expected);
	}
});

test("an address has sixty requests a minute at each endpoint and ten registrations an hour; an app counts as its user", async (t) => {
	const limited = await oauthScene({ env: { RATE_LIMIT_ENABLED: "true" } });
	const { app, owner, site } = limited;
	t.after(() => app.close());
	const statuses = async (count: number, send: () => Promise<{ statusCode: number }>) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await send()).statusCode);
		return [...Map.groupBy(seen, (status) => status)].flatMap(([status, all]) => [status, all.length]);
	};
	const revoke = () => postForm(app, "revoke", { token: "x" });
	const registerFrom = (ip: string) => register(uris, { "x-forwarded-for": ip }, limited);
	assert.deepEqual(await statuses(62, revoke), [200, 60, 429, 2]);
	assert.deepEqual(await statuses(61, () => postForm(app, "token", { grant_type: "x" })), [400, 60, 429, 1]);
	assert.deepEqual(await statuses(61, () => authorize(limited, { client_id: "nobody" })), [400, 60, 429, 1]);
	assert.deepEqual(await statuses(11, () => registerFrom("203.0.113.7")), [201, 10, 429, 1]);
	assert.equal((await registerFrom("203.0.113.8")).statusCode, 201);
	const discovery = () => app.inject({ url: "/.well-known/oauth-authorization-server" });
	assert.deepEqual(await statuses(70, discovery), [200, 70]);
	const refused = await revoke();
	assert.deepEqual(refused.json(), {
		error: "invalid_request",
		error_description: "Too many requests. Try again in 60 seconds.",
	});
	assert.deepEqual(
		[refused.headers["retry-after"], refused.headers["x-ratelimit-limit"], refused.headers["x-ratelimit-remaining"]],
		["60", "60", "0"],
	);
	assert.equal((await registerFrom("203.0.113.7")).headers["retry-after"], "3600");
	app.clock.advance(60_000);
	assert.equal((await revoke()).statusCode, 200);
	const { accessToken } = await appTokens(app, { headers: owner.headers, site });
	const remaining = async (headers: Readonly<Record<string, string>>) => {
		const response = await app.inject({ url: `/api/v1/sites/${site}`, headers });
		return [response.headers["x-ratelimit-limit"], Number(response.headers["x-ratelimit-remaining"])];
	};
	const [limit, left] = await remaining(owner.headers);
	assert.equal(limit, "10000");
	assert.deepEqual(await remaining({ authorization: `Bearer ${accessToken}` }), ["10000", Number(left) - 1]);
	app.clock.advance(3_540_000);
	assert.equal((await registerFrom("203.0.113.7")).statusCode, 201);
});
