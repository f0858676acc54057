import assert from "node:assert/strict";
import { after, test } from "node:test";
import {
	Client,
	discoverAuthorizationServerMetadata,
	type OAuthClientInformationMixed,
	type OAuthClientProvider,
	type OAuthDiscoveryState,
	type OAuthTokens,
	StreamableHTTPClientTransport,
	UnauthorizedError,
} from "@modelcontextprotocol/client";
import * as oauth from "oauth4webapi";
import { signInAgain } from "../support/accounts.ts";
import { freePort } from "../support/free-port.ts";
import { openMcpSite } from "../support/mcp-site.ts";
import { redirectUri as callback, decide } from "../support/oauth-flow.ts";

/** Loopback has no certificate. */
const insecure = { [oauth.allowInsecureRequests]: true };

type Mode = "legacy" | "auto";

// Clients hold a service to the address that its own metadata name, so that it has to be known before the service is built.
const port = await freePort();
/** The issuer. */
const root = `http://127.0.0.1:${port}`;
const { app, ann: owner } = await openMcpSite({ env: { PUBLIC_URL: root } });
after(() => app.close());
await app.address(port);
const scene = { app, owner, site: "shop" };

/** The user allows what an app asks that sends them to this address, by the routes behind the pages; where the answer goes. */
async function answerTo(url: URL): Promise<URL> {
	const begun = await fetch(url, { redirect: "manual" });
	const requestId = new URL(String(begun.headers.get("location"))).searchParams.get("request_id") ?? "";
	const as = await signInAgain(scene.app, scene.owner);
	const decided = await decide(scene, requestId, { as });
	assert.equal(decided.statusCode, 200, decided.body);
	return new URL(decided.json().data.redirect_to);
}

/** What an assistant keeps between two visits; the user is to be sent to the address. */
interface Kept {
	client?: OAuthClientInformationMixed;
	tokens?: OAuthTokens | undefined;
	verifier?: string;
	discovery?: OAuthDiscoveryState;
	url?: URL;
}

/** An assistant that has never been here. */
function newAssistant() {
	const kept: Kept = {};
	const keep = (more: Kept) => void Object.assign(kept, more);
	const provider: OAuthClientProvider = {
		redirectUrl: callback,
		clientMetadata: {
			client_name: "Test assistant",
			redirect_uris: [callback],
			token_endpoint_auth_method: "none",
			grant_types: ["authorization_code", "refresh_token"],
			response_types: ["code"],
		},
		state: () => "a-state-of-the-assistant",
		clientInformation: () => kept.client,
		saveClientInformation: (client) => keep({ client }),
		tokens: () => kept.tokens,
		saveTokens: (tokens) => keep({ tokens }),
		redirectToAuthorization: (url) => keep({ url }),
		saveCodeVerifier: (verifier) => keep({ verifier }),
		codeVerifier: () => kept.verifier ?? "",
		saveDiscoveryState: (discovery) => keep({ discovery }),
		discoveryState: () => kept.discovery,
		invalidateCredentials: (what) => (what === "tokens" || what === "all" ? keep({ tokens: undefined }) : undefined),
	};
	const newClient = (mode: Mode) => ({
		client: new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } }),
		transport: new StreamableHTTPClientTransport(new URL(`${root}/mcp`), { authProvider: provider }),
	});
	return { newClient, kept, tokens: () => kept.tokens ?? assert.fail() };
}

for (const mode of ["legacy", "auto"] as const) {
	test(`the official client finds its way, is let in by a user, refreshes, and is shut out by its revocation (${mode})`, async () => {
		const { newClient, kept, tokens } = newAssistant();
		// It comes without a token; its transport waits for the answer of the user, who is to be sent to the address.
		const { client: stranger, transport } = newClient(mode);
		await assert.rejects(stranger.connect(transport), UnauthorizedError);
		const { searchParams: back } = await answerTo(kept.url ?? assert.fail());
		assert.deepEqual([back.get("state"), back.get("iss")], ["a-state-of-the-assistant", root]);
		await transport.finishAuth(back);
		const { client, transport: next } = newClient(mode);
		await client.connect(next);
		const { access_token: first, refresh_token: rotating, scope } = tokens();
		assert.equal(scope, "analytics:read offline_access");
		assert.match(JSON.stringify(await client.callTool({ name: "get_overview" })), /"site_id":"shop"/);

		// An hour later the token is no more; the client refreshes it without anybody noticing.
		scene.app.clock.advance(3_600_000);
		assert.match(JSON.stringify(await client.callTool({ name: "list_sites" })), /"site_id":"shop"/);
		const renewed = tokens();
		assert.notEqual(renewed.access_token, first);
		assert.notEqual(renewed.refresh_token, rotating);

		const server = await discoverAuthorizationServerMetadata(root);
		const body = new URLSearchParams({ token: renewed.refresh_token ?? "", client_id: kept.client?.client_id ?? "" });
		const revoked = await fetch(String(Object(server).revocation_endpoint), { method: "POST", body });
		assert.equal(revoked.status, 200);
		await assert.rejects(client.callTool({ name: "list_sites", arguments: {} }), UnauthorizedError);
		await client.close();
	});
}

test("a standard client is let in, reads reports, refreshes, and is shut out by its revocation; forgeries fail", async () => {
	const issuer = new URL(root);
	const discovered = await oauth.discoveryRequest(issuer, { algorithm: "oauth2", ...insecure });
	const server = await oauth.processDiscoveryResponse(issuer, discovered);
	const wish = { redirect_uris: [callback], client_name: "Reports", token_endpoint_auth_method: "none" };
	const registration = await oauth.dynamicClientRegistrationRequest(server, wish, insecure);
	const client = await oauth.processDynamicClientRegistrationResponse(registration);
	const tools = new URL(`${root}/mcp`);
	const described = await oauth.resourceDiscoveryRequest(tools, insecure);
	const { authorization_servers: servers } = await oauth.processResourceDiscoveryResponse(tools, described);
	assert.deepEqual(servers, [root]);
	const [state, verifier] = [oauth.generateRandomState(), oauth.generateRandomCodeVerifier()];
	const resource = `${root}/api/v1`;
	const url = new URL(server.authorization_endpoint ?? "");
	url.search = new URLSearchParams({
		client_id: client.client_id,
		redirect_uri: callback,
		response_type: "code",
		scope: "analytics:read offline_access",
		code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
		code_challenge_method: "S256",
		state,
		resource,
	}).toString();
	const back = await answerTo(url);
	const parameters = oauth.validateAuthResponse(server, client, back, state);

	// A mix-up does not pass the client, as every answer names its issuer.
	const forged = new URLSearchParams(back.searchParams);
	forged.delete("iss");
	assert.throws(() => oauth.validateAuthResponse(server, client, forged, state), /iss/);

	const none = oauth.None();
	const exchange = async (proof: string) => {
		const more = { additionalParameters: { resource }, ...insecure };
		const answer = await oauth.authorizationCodeGrantRequest(server, client, none, parameters, callback, proof, more);
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
