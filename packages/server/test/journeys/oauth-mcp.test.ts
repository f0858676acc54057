import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import {
	type Client,
	discoverAuthorizationServerMetadata,
	IssuerMismatchError,
	UnauthorizedError,
} from "@modelcontextprotocol/client";
import { type Browser, launchBrowser, newVisitor, type Page } from "../support/browser.ts";
import { type Assistant, connect, newAssistant } from "../support/mcp-oauth-client.ts";
import { allow, deny, signInAtConsent } from "../support/oauth-browser.ts";
import { type AppServer, type OAuthService, openAppServer, openOAuthService } from "../support/oauth-service.ts";

let service: OAuthService;
let browser: Browser;
let assistantServer: AppServer;

before(async () => {
	[service, browser, assistantServer] = await Promise.all([openOAuthService(), launchBrowser(), openAppServer()]);
});
after(async () => {
	await browser?.close();
	await assistantServer?.close();
	await service?.app.close();
});

/** A new browser without JavaScript: none is needed. */
async function withPage<T>(use: (page: Page) => Promise<T>): Promise<T> {
	const context = await newVisitor(browser, { javaScriptEnabled: false });
	try {
		return await use(await context.newPage());
	} finally {
		await context.close();
	}
}

/** Everything from a first address to a connection, by the official client and a person. */
async function connected(mode: "legacy" | "auto"): Promise<{ client: Client; assistant: Assistant }> {
	const assistant = newAssistant(assistantServer.callback);
	const { waiting } = await connect(service.root, assistant, mode);
	assert.ok(waiting, "got in without a token");
	const back = await withPage(async (page) => {
		await signInAtConsent(page, assistant.authorizationUrl(), service.ann.email);
		const text = String(await page.locator("main").textContent());
		assert.ok(text.includes("Test assistant"), text);
		assert.ok(text.includes(new URL(assistantServer.callback).host), text);
		await allow(page, "shop");
		return assistantServer.next();
	});
	assert.equal(back.searchParams.get("state"), "a-state-of-the-assistant");
	assert.equal(back.searchParams.get("iss"), service.root);
	await waiting.finishAuth(back.searchParams);
	const { client } = await connect(service.root, assistant, mode);
	assert.ok(client, "no connection with the token");
	return { client, assistant };
}

const required: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
	get_property_values: { property_key: "coupon" },
	get_property_breakdown: { property_key: "coupon" },
	query: { date_from: "2026-11-01", date_to: "2026-11-21", metrics: ["entrances"] },
	explain_change: { metric: "entrances", date_from: "2026-11-01", date_to: "2026-11-21", compare: "previous" },
};

const names = [
	"explain_change",
	"get_campaigns",
	"get_channels",
	"get_contents",
	"get_conversions",
	"get_countries",
	"get_devices",
	"get_exit_pages",
	"get_funnel",
	"get_landing_pages",
	"get_mediums",
	"get_microconversions",
	"get_overview",
	"get_pages",
	"get_property_breakdown",
	"get_property_keys",
	"get_property_values",
	"get_referrers",
	"get_sources",
	"get_terms",
	"list_sites",
	"query",
];

for (const mode of ["legacy", "auto"] as const) {
	test(`the official client finds its way, is let in by a user, and calls every tool (${mode})`, async () => {
		const { client, assistant } = await connected(mode);
		const { access_token: first, refresh_token: rotating, scope } = assistant.tokens();
		assert.ok(rotating, "no refresh token");
		assert.equal(scope, "analytics:read offline_access");

		const { tools } = await client.listTools();
		assert.deepEqual(tools.map(({ name }) => name).sort(), names);
		for (const { name } of tools) {
			const { isError, structuredContent } = await client.callTool({ name, arguments: { ...required[name] } });
			const causes = () => service.app.logLines.filter((line) => line.includes('"cause"')).join("\n");
			assert.ok(isError !== true, `${name}: ${JSON.stringify(structuredContent)} ${causes()}`);
			assert.ok(structuredContent, name);
		}

		// An hour later the token is no more; the client refreshes it without anybody noticing.
		service.app.clock.advance(3_600_000);
		const { structuredContent } = await client.callTool({ name: "list_sites", arguments: {} });
		assert.ok(JSON.stringify(structuredContent).includes('"shop"'));
		const renewed = assistant.tokens();
		assert.notEqual(renewed.access_token, first);
		assert.notEqual(renewed.refresh_token, rotating);

		const server = await discoverAuthorizationServerMetadata(service.root);
		const revoked = await fetch(String(Object(server).revocation_endpoint), {
			method: "POST",
			body: new URLSearchParams({ token: renewed.refresh_token ?? "", client_id: assistant.clientId() }),
		});
		assert.equal(revoked.status, 200);
		await assert.rejects(client.callTool({ name: "list_sites", arguments: {} }), UnauthorizedError);
		await client.close();
	});
}

test("what a user denies comes back to the client as a refusal", async () => {
	const assistant = newAssistant(assistantServer.callback);
	const { waiting } = await connect(service.root, assistant, "legacy");
	assert.ok(waiting);
	const back = await withPage(async (page) => {
		await signInAtConsent(page, assistant.authorizationUrl(), service.ann.email);
		await deny(page);
		return assistantServer.next();
	});
	assert.equal(back.searchParams.get("error"), "access_denied");
	await assert.rejects(waiting.finishAuth(back.searchParams), /access_denied|denied/i);
});

test("the official client takes no answer in the name of another issuer", async () => {
	const assistant = newAssistant(assistantServer.callback);
	const { waiting } = await connect(service.root, assistant, "legacy");
	assert.ok(waiting);
	const forged = new URLSearchParams({
		code: "stolen",
		state: "a-state-of-the-assistant",
		iss: "https://evil.example",
	});
	await assert.rejects(waiting.finishAuth(forged), IssuerMismatchError);
});

test("the client of one user reads that user's site only", async () => {
	const { client } = await connected("auto");
	const { isError, structuredContent } = await client.callTool({
		name: "get_overview",
		arguments: { site_id: "other" },
	});
	assert.equal(isError, true);
	assert.match(JSON.stringify(structuredContent), /forbidden/);
	await client.close();
});
