import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
	type Client,
	discoverAuthorizationServerMetadata,
	IssuerMismatchError,
	UnauthorizedError,
} from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import { type Browser, launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { type Assistant, connect, newAssistant } from "../support/mcp-oauth-client.ts";
import { type AppServer, type OAuthService, openAppServer, openOAuthService } from "../support/oauth-service.ts";
import { password } from "../support/test-users.ts";

/** Loopback has no certificate. */
const insecure = { [oauth.allowInsecureRequests]: true };

let service: OAuthService;
let browser: Browser;
let appServer: AppServer;

before(async () => {
	[service, browser, appServer] = await Promise.all([openOAuthService(), launchBrowser(), openAppServer()]);
});
after(async () => {
	await browser?.close();
	await appServer?.close();
	await service?.app.close();
});

/** Waits until a page with this title is shown: pages between go by on their own. */
const shown = (page: Page, title: string) =>
	page.getByRole("heading", { level: 1, name: title, exact: true }).waitFor();

/**
 * Sends the user to an authorization address in a new browser without JavaScript, and answers the question with a site or with no;
 * where the browser came back, and the text of the question.
 */
async function askUser(url: URL, site: string | undefined): Promise<{ readonly back: URL; readonly question: string }> {
	const context = await newVisitor(browser, { javaScriptEnabled: false });
	try {
		const page = await context.newPage();
		await page.goto(url.href);
		await shown(page, "Sign in");
		await page.fill("#email", service.ann.email);
		await page.fill("#password", password);
		await page.getByRole("button", { name: "Sign in" }).click();
		await shown(page, "Allow access?");
		const question = String(await page.locator("main").textContent());
		if (site !== undefined) await page.check(`input[name=site_id][value="${site}"]`);
		await page.getByRole("button", { name: site === undefined ? "Deny" : "Allow" }).click();
		await shown(page, "Connected");
		return { back: appServer.came.shift() ?? assert.fail("the browser did not come back"), question };
	} finally {
		await context.close();
	}
}

/** Everything from a first address to a connection, by the official client and a person. */
async function connected(mode: "legacy" | "auto"): Promise<{ client: Client; assistant: Assistant }> {
	const assistant = newAssistant(appServer.callback);
	const { waiting } = await connect(service.root, assistant, mode);
	assert.ok(waiting, "got in without a token");
	const { back, question } = await askUser(assistant.authorizationUrl(), "shop");
	for (const text of ["Test assistant", new URL(appServer.callback).host]) assert.ok(question.includes(text), question);
	assert.equal(back.searchParams.get("state"), "a-state-of-the-assistant");
	assert.equal(back.searchParams.get("iss"), service.root);
	await waiting.finishAuth(back.searchParams);
	const { client } = await connect(service.root, assistant, mode);
	assert.ok(client, "no connection with the token");
	return { client, assistant };
}

for (const mode of ["legacy", "auto"] as const) {
	test(`the official client finds its way, is let in by a user, refreshes, and is shut out by its revocation (${mode})`, async () => {
		const { client, assistant } = await connected(mode);
		const { access_token: first, refresh_token: rotating, scope } = assistant.tokens();
		assert.equal(scope, "analytics:read offline_access");
		const overview = await client.callTool({ name: "get_overview", arguments: {} });
		assert.match(JSON.stringify(overview.structuredContent), /"site_id":"shop"/);
		const foreign = await client.callTool({ name: "get_overview", arguments: { site_id: "other" } });
		assert.match(JSON.stringify(foreign.structuredContent), /forbidden/);

		// An hour later the token is no more; the client refreshes it without anybody noticing.
		service.app.clock.advance(3_600_000);
		const { structuredContent } = await client.callTool({ name: "list_sites", arguments: {} });
		assert.ok(JSON.stringify(structuredContent).includes('"shop"'));
		const renewed = assistant.tokens();
		assert.notEqual(renewed.access_token, first);
		assert.notEqual(renewed.refresh_token, rotating);

		const server = await discoverAuthorizationServerMetadata(service.root);
		const body = new URLSearchParams({ token: renewed.refresh_token ?? "", client_id: assistant.clientId() });
		const revoked = await fetch(String(Object(server).revocation_endpoint), { method: "POST", body });
		assert.equal(revoked.status, 200);
		await assert.rejects(client.callTool({ name: "list_sites", arguments: {} }), UnauthorizedError);
		await client.close();
	});
}

test("the official client is told of a refusal by the user, and takes no answer in the name of another issuer", async () => {
	const assistant = newAssistant(appServer.callback);
	const { waiting } = await connect(service.root, assistant, "legacy");
	assert.ok(waiting);
	const answer = { code: "stolen", state: "a-state-of-the-assistant", iss: "https://evil.example" };
	await assert.rejects(waiting.finishAuth(new URLSearchParams(answer)), IssuerMismatchError);
	const { back } = await askUser(assistant.authorizationUrl(), undefined);
	assert.equal(back.searchParams.get("error"), "access_denied");
	await assert.rejects(waiting.finishAuth(back.searchParams), /access_denied|denied/i);
});

/** The server and an app that has just been registered, as a standard library understands them. */
async function registered(): Promise<{ server: oauth.AuthorizationServer; client: oauth.Client }> {
	const issuer = new URL(service.root);
	const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
	const server = await oauth.processDiscoveryResponse(issuer, discovered);
	const wish = { redirect_uris: [appServer.callback], client_name: "Reports", token_endpoint_auth_method: "none" };
	const registration = await oauth.dynamicClientRegistrationRequest(server, wish, insecure);
	return { server, client: await oauth.processDynamicClientRegistrationResponse(registration) };
}

test("a standard client is let in, reads reports, refreshes, and is shut out by its revocation; forgeries fail", async () => {
	const { server, client } = await registered();
	const tools = new URL(`${service.root}/mcp`);
	const described = await oauth.resourceDiscoveryRequest(tools, insecure);
	const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(tools, described);
	assert.deepEqual(servers, [service.root]);
	const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
	const resource = `${service.root}/api/v1`;
	const url = new URL(server.authorization_endpoint ?? "");
	url.search = new URLSearchParams({
		client_id: client.client_id,
		redirect_uri: appServer.callback,
		response_type: "code",
		scope: "analytics:read offline_access",
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		state,
		resource,
	}).toString();
	const { back } = await askUser(url, "shop");
	const parameters = oauth.validateAuthResponse(server, client, back, state);

	// A mix-up does not pass the client, as every answer names its issuer.
	for (const issuer of [undefined, "https://evil.example"]) {
		const forged = new URLSearchParams(back.searchParams);
		if (issuer === undefined) forged.delete("iss");
		else forged.set("iss", issuer);
		assert.throws(() => oauth.validateAuthResponse(server, client, forged, state), /iss/);
	}

	const none = oauth.None();
	const exchange = async (proof: string) => {
		const more = { additionalParameters: { resource }, ...insecure };
		const to = appServer.callback;
		const answer = await oauth.authorizationCodeGrantRequest(server, client, none, parameters, to, proof, more);
		return oauth.processAuthorizationCodeResponse(server, client, answer);
	};
	const isInvalidGrant = (error: unknown) =>
		error instanceof oauth.ResponseBodyError && error.error === "invalid_grant" && error.status === 400;
	await assert.rejects(exchange(oauth.generateRandomCodeVerifier()), isInvalidGrant);
	const tokens = await exchange(verifier);
	assert.deepEqual([tokens.token_type, tokens.expires_in], ["bearer", 3600]);
	assert.equal(tokens.scope, "analytics:read offline_access");

	const request = (token: string, path: string) =>
		oauth.protectedResourceRequest(token, "GET", new URL(resource + path), undefined, undefined, insecure);
	const day = "start_date=2026-11-20&end_date=2026-11-20";
	const { data } = Object(await (await request(tokens.access_token, `/stats/overview?site_id=shop&${day}`)).json());
	assert.deepEqual([data.traffic.entrances, data.conversions.revenue], [2, 12.5]);

	const refresh = async (token = "") => {
		const answer = await oauth.refreshTokenGrantRequest(server, client, none, token, insecure);
		return oauth.processRefreshTokenResponse(server, client, answer);
	};
	const refreshed = await refresh(tokens.refresh_token);
	assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
	const pages = Object(await (await request(refreshed.access_token, "/stats/pages?site_id=shop&period=7d")).json());
	assert.ok(pages.total > 0);

	const revoked = await oauth.revocationRequest(server, client, none, refreshed.refresh_token ?? "", insecure);
	await oauth.processRevocationResponse(revoked);
	await assert.rejects(
		request(refreshed.access_token, "/stats/overview?site_id=shop"),
		(error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
	);
	await assert.rejects(refresh(refreshed.refresh_token), isInvalidGrant);
});
