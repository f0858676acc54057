import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
	ask,
	askMcp,
	authorize,
	codeOf,
	exchange,
	locationOf,
	type OAuthScene,
	oauthScene,
	publicUrl,
	refresh,
	tokensFor,
	tokensIn,
} from "../support/oauth-flow.ts";

const api = `${publicUrl}/api/v1`;
const mcp = `${publicUrl}/mcp`;

let scene: OAuthScene;
before(async () => {
	scene = await oauthScene();
});
after(() => scene.app.close());

test("a token made for the MCP server opens nothing else, and one for the REST API not the MCP server", async () => {
	const forMcp = await tokensFor(scene, { resource: mcp });
	const forApi = await tokensFor(scene, { resource: api });
	const forBoth = await tokensFor(scene);
	const refused = await ask(scene, forMcp.access_token);
	assert.deepEqual([refused.statusCode, refused.json().error.code], [401, "token_invalid"]);
	assert.equal((await askMcp(scene, forMcp.access_token)).statusCode, 200);
	assert.equal((await ask(scene, forApi.access_token)).statusCode, 200);
	const elsewhere = await askMcp(scene, forApi.access_token);
	assert.equal(elsewhere.statusCode, 401);
	assert.equal(
		elsewhere.headers["www-authenticate"],
		`Bearer resource_metadata="${publicUrl}/.well-known/oauth-protected-resource/mcp", scope="analytics:read offline_access", error="invalid_token"`,
	);
	assert.equal((await ask(scene, forBoth.access_token)).statusCode, 200);
	assert.equal((await askMcp(scene, forBoth.access_token)).statusCode, 200);
});

test("a refresh keeps the audience", async () => {
	const tokens = tokensIn(await refresh(scene, (await tokensFor(scene, { resource: mcp })).refresh_token));
	assert.equal((await ask(scene, tokens.access_token)).statusCode, 401);
	assert.equal((await askMcp(scene, tokens.access_token)).statusCode, 200);
});

test("another audience than the approved one is refused at the exchange and at a refresh", async () => {
	for (const resource of [api, "https://evil.example/mcp"]) {
		const atExchange = await exchange(scene, await codeOf(scene, { resource: mcp }), { resource });
		assert.equal(atExchange.statusCode, 400, atExchange.body);
		const { refresh_token: token } = await tokensFor(scene, { resource: mcp });
		const atRefresh = await refresh(scene, token, { resource });
		assert.equal(atRefresh.statusCode, 400, atRefresh.body);
	}
});

for (const resource of [
	"https://evil.example/mcp",
	`${mcp}/`,
	`${mcp}?x=1`,
	`${mcp}#x`,
	"https://STATS.example/mcp",
	"http://stats.example/mcp",
	"https://stats.example:443/mcp",
	publicUrl,
	"mcp",
]) {
	test(`${resource} is no resource of this service`, async () => {
		const url = locationOf(await authorize(scene, { resource }));
		assert.equal(url.searchParams.get("error"), "invalid_request");
	});
}
