import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Tables } from "../../../../../migrations/metadata/tables/index.ts";
import { type AccountsApp, accountsApp, onBothEngines } from "../../../../../test/support/accounts-app.ts";
import {
	appCallback,
	appChallenge,
	appTokens,
	askForAccess,
	registerApp,
	sendForm,
} from "../../../../../test/support/app-token.ts";

const root = "https://stats.example";
const api = `${root}/api/v1`;

onBothEngines("an app asks", (open) => {
	let app: AccountsApp;
	let clientId: string;
	before(async () => {
		app = await open();
		clientId = await registerApp(app);
	});
	after(() => app.close());

	const ask = (query: string, headers = {}) => app.inject({ url: `/api/v1/oauth/authorize?${query}`, headers });
	/** The request of the app without some parameters, and with others. */
	const query = (changes: Readonly<Record<string, string | undefined>>) =>
		new URLSearchParams(
			Object.entries({
				client_id: clientId,
				redirect_uri: appCallback,
				response_type: "code",
				state: "s",
				code_challenge: appChallenge,
				code_challenge_method: "S256",
				...changes,
			}).filter((entry): entry is [string, string] => entry[1] !== undefined),
		).toString();
	const pendingRequests = async () =>
		(await app.metadata.withTables<Tables>().selectFrom("oauth_requests").select("id_hash").execute()).length;

	test("a fault of the client or the redirect address is told here, with 400, and nothing goes to the address", async () => {
		const faults: readonly [string, string, string][] = [
			[query({ client_id: undefined }), "invalid_request", "client_id must be given once"],
			[`${query({})}&client_id=${clientId}`, "invalid_request", "client_id must be given once"],
			[query({ client_id: "nobody" }), "invalid_client", "The client is not known"],
			[query({ client_id: clientId.toUpperCase() }), "invalid_client", "The client is not known"],
			[query({ redirect_uri: undefined }), "invalid_request", "redirect_uri must be given once"],
			[`${query({})}&redirect_uri=x`, "invalid_request", "redirect_uri must be given once"],
			[query({ redirect_uri: `${appCallback}/` }), "invalid_redirect_uri", notRegistered],
			[query({ redirect_uri: `${appCallback} ` }), "invalid_redirect_uri", notRegistered],
			[query({ redirect_uri: `${appCallback}?x` }), "invalid_redirect_uri", notRegistered],
			[query({ redirect_uri: "https://app.example:443/callback" }), "invalid_redirect_uri", notRegistered],
		];
		for (const [given, error, description] of faults) {
			const response = await ask(given);
			assert.deepEqual(
				[response.statusCode, response.json(), response.headers.location, response.headers["cache-control"]],
				[400, { error, error_description: description }, undefined, "no-store"],
				given,
			);
		}
		assert.equal(await pendingRequests(), 0);
	});

	test("in a browser such a fault is a page, in which nothing of the app is markup", async () => {
		const response = await ask(query({ client_id: "<script>" }), { accept: "text/html,*/*" });
		assert.equal(response.statusCode, 400);
		assert.match(String(response.headers["content-type"]), /^text\/html/);
		assert.match(String(response.headers["content-security-policy"]), /frame-ancestors 'none'/);
		assert.match(response.body, /The client is not known/);
		assert.doesNotMatch(response.body, /<script/);
	});

	test("every other fault goes back to the app, with state and issuer", async () => {
		const challenge = "code_challenge must have 43 characters of base64url";
		const method = "code_challenge_method must be S256";
		const scopes = "scope may have analytics:read and offline_access";
		const state = "state must have up to 2000 characters, and no control characters";
		const faults: readonly [string, string, string][] = [
			[query({ response_type: undefined }), "invalid_request", "response_type is missing"],
			[query({ response_type: "token" }), "unsupported_response_type", "response_type must be code"],
			[query({ response_mode: "fragment" }), "invalid_request", "response_mode must be query"],
			[query({ code_challenge: undefined }), "invalid_request", "code_challenge is missing"],
			[query({ code_challenge: "x".repeat(42) }), "invalid_request", challenge],
			[query({ code_challenge: `${"x".repeat(42)}=` }), "invalid_request", challenge],
			[query({ code_challenge_method: undefined }), "invalid_request", method],
			[query({ code_challenge_method: "plain" }), "invalid_request", method],
			[query({ code_challenge_method: "s256" }), "invalid_request", method],
			[query({ scope: "analytics:write" }), "invalid_scope", scopes],
			[query({ scope: "analytics:read openid" }), "invalid_scope", scopes],
			[query({ resource: root }), "invalid_request", "resource is not served here"],
			[query({ resource: `${root}/mcp/` }), "invalid_request", "resource is not served here"],
			[`${query({})}&scope=&scope=`, "invalid_request", "A parameter was sent more than once"],
			[`${query({ resource: api })}&resource=${root}`, "invalid_request", "A parameter was sent more than once"],
			[query({ state: "a\0b" }), "invalid_request", state],
			[query({ state: "x".repeat(2001) }), "invalid_request", state],
		];
		for (const [given, error, description] of faults) {
			const response = await ask(given);
			assert.equal(response.statusCode, 302, given);
			const location = new URL(String(response.headers.location));
			assert.equal(location.origin + location.pathname, appCallback);
			assert.deepEqual(
				Object.fromEntries(location.searchParams),
				{
					error,
					error_description: description,
					state: new URLSearchParams(given).get("state"),
					iss: root,
				},
				given,
			);
		}
		const twice = await ask(`${query({})}&state=t`);
		assert.equal(new URL(String(twice.headers.location)).searchParams.get("state"), null);
		assert.equal(await pendingRequests(), 0);
	});

	test("a request that is right waits for the user; what is asked for is the MCP server, the REST API, or both", async () => {
		for (const [i, resource] of [`${root}/mcp`, api, undefined].entries()) {
			const response = await ask(query({ resource, state: undefined }));
			assert.match(
				String(response.headers.location),
				/^https:\/\/stats\.example\/oauth\/consent\?request_id=[A-Za-z0-9_-]{43}$/,
			);
			assert.equal(await pendingRequests(), i + 1);
		}
	});

	test("a registration with faults answers in the form of RFC 7591", async () => {
		const list = "redirect_uris must be a list of 1 to 10 texts";
		const name = "client_name must be a text of up to 255 characters, on one line";
		const faults: readonly [unknown, string, string][] = [
			[[], "invalid_request", "The body must be a JSON object"],
			[{}, "invalid_redirect_uri", list],
			[{ redirect_uris: [] }, "invalid_redirect_uri", list],
			[{ redirect_uris: appCallback }, "invalid_redirect_uri", list],
			[{ redirect_uris: [7] }, "invalid_redirect_uri", list],
			[{ redirect_uris: Array(11).fill(appCallback) }, "invalid_redirect_uri", list],
			[{ redirect_uris: ["http://a.example/"] }, "invalid_redirect_uri", notLoopback],
			[{ redirect_uris: [appCallback], client_name: 7 }, "invalid_request", name],
			[{ redirect_uris: [appCallback], client_name: "x".repeat(256) }, "invalid_request", name],
			[{ redirect_uris: [appCallback], client_name: "Claude\n" }, "invalid_request", name],
			[{ redirect_uris: [appCallback], client_name: "\u202eedualC" }, "invalid_request", name],
			[
				{ redirect_uris: [appCallback], token_endpoint_auth_method: "client_secret_basic" },
				"invalid_request",
				"token_endpoint_auth_method must be none",
			],
		];
		for (const [body, error, description] of faults) {
			const response = await app.call("POST /oauth/register", { body });
			const told = [response.statusCode, response.json()];
			assert.deepEqual(told, [400, { error, error_description: description }], JSON.stringify(body));
		}
		const broken = await app.inject({
			method: "POST",
			url: "/api/v1/oauth/register",
			headers: { "content-type": "application/json" },
			payload: "{",
		});
		assert.deepEqual([broken.statusCode, broken.json().error], [400, "invalid_request"]);
	});

	test("a token request with faults answers in the form of RFC 6749", async () => {
		const faults: readonly [Readonly<Record<string, string>>, number, string][] = [
			[{}, 400, "invalid_request"],
			[{ grant_type: "password" }, 400, "unsupported_grant_type"],
			[{ grant_type: "toString" }, 400, "unsupported_grant_type"],
			[{ grant_type: "refresh_token", client_id: clientId }, 400, "invalid_request"],
			[{ grant_type: "refresh_token", refresh_token: "x" }, 400, "invalid_request"],
			[{ grant_type: "refresh_token", refresh_token: "x", client_id: "nobody" }, 401, "invalid_client"],
			[{ grant_type: "refresh_token", refresh_token: "x", client_id: clientId }, 400, "invalid_grant"],
			[{ grant_type: "refresh_token", refresh_token: "x", client_id: "https://a.example/c" }, 400, "invalid_grant"],
		];
		for (const [fields, status, error] of faults) {
			const response = await sendForm(app, "/oauth/token", fields);
			const told = [response.statusCode, response.json().error, response.headers["cache-control"]];
			assert.deepEqual(told, [status, error, "no-store"], JSON.stringify(fields));
			assert.deepEqual(Object.keys(response.json()), ["error", "error_description"]);
			assert.equal(response.headers["www-authenticate"] !== undefined, status === 401);
		}
		const json = await app.call("POST /oauth/token", { body: { grant_type: "refresh_token" } });
		assert.deepEqual([json.statusCode, json.json().error], [400, "invalid_request"]);
		const withSecret = await app.inject({
			method: "POST",
			url: "/api/v1/oauth/token",
			headers: { "content-type": "application/x-www-form-urlencoded", authorization: "Basic eDp5" },
			payload: `grant_type=refresh_token&refresh_token=x&client_id=${clientId}`,
		});
		assert.deepEqual([withSecret.statusCode, withSecret.json().error], [401, "invalid_client"]);
		const large = await sendForm(app, "/oauth/token", { grant_type: "x".repeat(70_000) });
		assert.deepEqual([large.statusCode, large.json().error], [413, "invalid_request"]);
	});
});

const notRegistered = "redirect_uri is not one that the client registered";
const notLoopback = "A redirect URI begins with http:// and is not loopback";

test("the documents by which apps find everything are the promised ones, and kept for an hour", async () => {
	const app = await accountsApp();
	const get = async (path: string) => {
		const response = await app.inject({ url: `/.well-known/${path}` });
		assert.equal(response.headers["cache-control"], "public, max-age=3600");
		return response.json();
	};
	assert.deepEqual(await get("oauth-authorization-server"), {
		issuer: root,
		authorization_endpoint: `${api}/oauth/authorize`,
		token_endpoint: `${api}/oauth/token`,
		registration_endpoint: `${api}/oauth/register`,
		revocation_endpoint: `${api}/oauth/revoke`,
		response_types_supported: ["code"],
		response_modes_supported: ["query"],
		grant_types_supported: ["authorization_code", "refresh_token"],
		code_challenge_methods_supported: ["S256"],
		token_endpoint_auth_methods_supported: ["none"],
		revocation_endpoint_auth_methods_supported: ["none"],
		scopes_supported: ["analytics:read", "offline_access"],
		authorization_response_iss_parameter_supported: true,
		client_id_metadata_document_supported: true,
		protected_resources: [`${root}/mcp`],
	});
	const resource = {
		resource: `${root}/mcp`,
		authorization_servers: [root],
		scopes_supported: ["analytics:read"],
		bearer_methods_supported: ["header"],
		resource_name: "Footfall",
	};
	assert.deepEqual(await get("oauth-protected-resource"), resource);
	assert.deepEqual(await get("oauth-protected-resource/mcp"), resource);
	await app.close();
});

test("each protocol route has sixty requests a minute and address of its own, registration ten an hour", async () => {
	const app = await accountsApp("sqlite", undefined, { limited: true });
	const statuses = async (count: number, send: () => Promise<{ statusCode: number }>) => {
		const seen: number[] = [];
		for (let i = 0; i < count; i++) seen.push((await send()).statusCode);
		return [...Map.groupBy(seen, (status) => status)].map(([status, list]) => [status, list.length]);
	};
	const revoke = () => sendForm(app, "/oauth/revoke", { token: "x" });
	const token = () => sendForm(app, "/oauth/token", { grant_type: "x" });
	const authorize = () => askForAccess(app, "nobody");
	const register = () => app.call("POST /oauth/register", { body: { redirect_uris: [appCallback] } });
	assert.deepEqual(await statuses(62, revoke), [
		[200, 60],
		[429, 2],
	]);
	assert.deepEqual(await statuses(61, token), [
		[400, 60],
		[429, 1],
	]);
	assert.deepEqual(await statuses(61, authorize), [
		[400, 60],
		[429, 1],
	]);
	assert.deepEqual(await statuses(11, register), [
		[201, 10],
		[429, 1],
	]);
	const refused = await revoke();
	assert.deepEqual(refused.json(), {
		error: "invalid_request",
		error_description: "Too many requests. Try again in 60 seconds.",
	});
	assert.deepEqual(
		[refused.headers["retry-after"], refused.headers["x-ratelimit-limit"], refused.headers["x-ratelimit-remaining"]],
		["60", "60", "0"],
	);
	assert.equal((await register()).headers["retry-after"], "3600");
	const discovery = () => app.inject({ url: "/.well-known/oauth-authorization-server" });
	assert.deepEqual(await statuses(70, discovery), [[200, 70]]);
	app.clock.advance(60_000);
	assert.equal((await revoke()).statusCode, 200);
	await app.close();
});

test("an app counts among the requests of its user, by the plan of the site", async () => {
	const app = await accountsApp("sqlite", undefined, { limited: true });
	const ann = await app.user("Ann");
	const site = await app.site(ann);
	const { accessToken } = await appTokens(app, { headers: ann.headers, site });
	const remaining = async (headers: Readonly<Record<string, string>>) => {
		const response = await app.call(`GET /sites/${site}`, { headers });
		return [response.headers["x-ratelimit-limit"], Number(response.headers["x-ratelimit-remaining"])];
	};
	const [limit, left] = await remaining(ann.headers);
	assert.equal(limit, "10000");
	assert.deepEqual(await remaining({ authorization: `Bearer ${accessToken}` }), ["10000", Number(left) - 1]);
	await app.close();
});
