import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import * as oauth from "oauth4webapi";
import { type Browser, launchBrowser, newVisitor } from "../support/browser.ts";
import { allow, signInAtConsent } from "../support/oauth-browser.ts";
import { type AppServer, type OAuthService, openAppServer, openOAuthService } from "../support/oauth-service.ts";

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

/** The server and an app that has just been registered, as the library understands them. */
async function registered(): Promise<{ server: oauth.AuthorizationServer; client: oauth.Client }> {
	const issuer = new URL(service.root);
	const discovery = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
	assert.equal(discovery.headers.get("cache-control"), "public, max-age=3600");
	const server = await oauth.processDiscoveryResponse(issuer, discovery);
	const client = await oauth.processDynamicClientRegistrationResponse(
		await oauth.dynamicClientRegistrationRequest(
			server,
			{ redirect_uris: [appServer.callback], client_name: "Reports", token_endpoint_auth_method: "none" },
			insecure,
		),
	);
	return { server, client };
}

const stateOf = oauth.generateRandomState;

/** Sends the user through the consent in a browser; answers what came back, checked by the library. */
async function authorized(
	{ server, client }: Awaited<ReturnType<typeof registered>>,
	{ state, verifier, resource }: { state: string; verifier: string; resource: string },
): Promise<URLSearchParams> {
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
	const context = await newVisitor(browser, { javaScriptEnabled: false });
	const page = await context.newPage();
	await signInAtConsent(page, url, service.ann.email);
	await allow(page, "shop");
	const back = await appServer.next();
	await context.close();
	return oauth.validateAuthResponse(server, client, back, state);
}

/** Goes the whole way for the REST API. */
async function connected() {
	const app = await registered();
	const { server, client } = app;
	const [state, verifier] = [stateOf(), oauth.generateRandomCodeVerifier()];
	const resource = `${service.root}/api/v1`;
	const parameters = await authorized(app, { state, verifier, resource });
	const tokens = await oauth.processAuthorizationCodeResponse(
		server,
		client,
		await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), parameters, appServer.callback, verifier, {
			additionalParameters: { resource },
			...insecure,
		}),
	);
	return { ...app, tokens };
}

const request = (token: string, path: string): Promise<Response> => {
	const url = new URL(`${service.root}/api/v1${path}`);
	return oauth.protectedResourceRequest(token, "GET", url, undefined, undefined, insecure);
};

// biome-ignore lint/suspicious/noExplicitAny: tests compare it with literals
const get = async (token: string, path: string): Promise<any> => (await request(token, path)).json();

test("the server's description is what a standard client expects", async () => {
	const issuer = new URL(service.root);
	const response = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
	const api = `${service.root}/api/v1/oauth`;
	assert.deepEqual(await response.json(), {
		issuer: service.root,
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
		protected_resources: [`${service.root}/mcp`],
	});
});

test("a standard client is let in, reads reports, refreshes, and is shut out by its revocation", async () => {
	const { server, client, tokens } = await connected();
	assert.deepEqual([tokens.token_type, tokens.expires_in], ["bearer", 3600]);
	assert.equal(tokens.scope, "analytics:read offline_access");

	const overview = await get(
		tokens.access_token,
		"/stats/overview?site_id=shop&start_date=2026-11-20&end_date=2026-11-20",
	);
	assert.equal(overview.data.traffic.entrances, 2);
	assert.equal(overview.data.conversions.revenue, 12.5);

	const refreshed = await oauth.processRefreshTokenResponse(
		server,
		client,
		await oauth.refreshTokenGrantRequest(server, client, oauth.None(), tokens.refresh_token ?? "", insecure),
	);
	assert.notEqual(refreshed.refresh_token, tokens.refresh_token);
	const pages = await get(refreshed.access_token, "/stats/pages?site_id=shop&period=7d");
	assert.ok(pages.total > 0);

	await oauth.processRevocationResponse(
		await oauth.revocationRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", insecure),
	);
	await assert.rejects(
		request(refreshed.access_token, "/stats/overview?site_id=shop"),
		(error) => error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401,
	);
	await assert.rejects(
		oauth.processRefreshTokenResponse(
			server,
			client,
			await oauth.refreshTokenGrantRequest(server, client, oauth.None(), refreshed.refresh_token ?? "", insecure),
		),
		(error) => error instanceof oauth.ResponseBodyError && error.error === "invalid_grant" && error.status === 400,
	);
});

test("a mix-up does not pass the client: every answer names its issuer", async () => {
	const app = await registered();
	const [state, verifier] = [stateOf(), oauth.generateRandomCodeVerifier()];
	const parameters = await authorized(app, { state, verifier, resource: `${service.root}/api/v1` });
	for (const change of [
		(p: URLSearchParams) => p.delete("iss"),
		(p: URLSearchParams) => p.set("iss", "https://evil.example"),
	]) {
		const forged = new URLSearchParams(parameters);
		change(forged);
		assert.throws(() => oauth.validateAuthResponse(app.server, app.client, forged, state), /iss/);
	}
});

test("a code with another verifier is refused as the client expects it", async () => {
	const app = await registered();
	const { server, client } = app;
	const [state, verifier] = [stateOf(), oauth.generateRandomCodeVerifier()];
	const parameters = await authorized(app, { state, verifier, resource: `${service.root}/api/v1` });
	const response = await oauth.authorizationCodeGrantRequest(
		server,
		client,
		oauth.None(),
		parameters,
		appServer.callback,
		oauth.generateRandomCodeVerifier(),
		insecure,
	);
	await assert.rejects(
		oauth.processAuthorizationCodeResponse(server, client, response),
		(error) => error instanceof oauth.ResponseBodyError && error.error === "invalid_grant",
	);
});

test("both addresses of the resource's description say the same, as a standard client reads them", async () => {
	const expected = {
		resource: `${service.root}/mcp`,
		authorization_servers: [service.root],
		scopes_supported: ["analytics:read"],
		bearer_methods_supported: ["header"],
		resource_name: "Footfall",
	};
	const resource = new URL(`${service.root}/mcp`);
	const response = await oauth.resourceDiscoveryRequest(resource, insecure);
	assert.equal(response.headers.get("cache-control"), "public, max-age=3600");
	assert.deepEqual(await oauth.processResourceDiscoveryResponse(resource, response), expected);
	const atRoot = await fetch(`${service.root}/.well-known/oauth-protected-resource`);
	assert.deepEqual(await atRoot.json(), expected);
});
