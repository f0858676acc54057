import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, test } from "node:test";
import { pageviewRow } from "../support/event-rows.ts";
import { giveStep, guideBlocks, stepsOf } from "../support/guide.ts";
import { newKey } from "../support/mcp-client.ts";
import { decide, oauthScene, registerApp, tokensFor } from "../support/oauth-flow.ts";
import { insertRows } from "../support/oracle-app.ts";

const guide = readFileSync(new URL("../../../../docs/connect.md", import.meta.url), "utf8");
const blocks = guideBlocks(guide);
const steps = stepsOf(blocks, "docs/connect.md");
const root = "https://stats.example.com";

const scene = await oauthScene({ env: { PUBLIC_URL: root } });
after(() => scene.app.close());
const { app, owner, site } = scene;
const address = await app.address();
const visit = { site, date: "2026-11-20", ts: Date.parse("2026-11-20T10:00:00Z"), entrance: 1 } as const;
await insertRows(
	app.eventStore,
	["1", "2", "3"].map((session) => pageviewRow({ ...visit, session })),
);
const variables: Record<string, string> = {
	ROOT: root,
	KEY: (await newKey(app, owner))["x-api-key"],
	TOKEN: owner.headers.authorization.replace("Bearer ", ""),
};
await tokensFor({ ...scene, clientId: await registerApp(app, { client_name: "An assistant" }) });

/** A reader keeps these values of an answer for later lines. */
function keep(body: string): void {
	const answer = body === "" ? {} : JSON.parse(body);
	for (const field of ["client_id", "access_token", "refresh_token"]) {
		if (field in answer) variables[field.toUpperCase()] = String(answer[field]);
	}
	const [connection] = Array.isArray(answer.data) ? answer.data : [];
	if (connection?.grant_id !== undefined) variables.GRANT_ID = connection.grant_id;
}

/** The user's steps in a browser, by the routes behind the pages. */
async function allow(authorizationUrl: string): Promise<URL> {
	const begun = await fetch(authorizationUrl.replace(root, address), { redirect: "manual" });
	assert.equal(begun.status, 302);
	const requestId = new URL(String(begun.headers.get("location"))).searchParams.get("request_id");
	const decided = await decide(scene, requestId ?? "");
	assert.equal(decided.statusCode, 200, decided.body);
	return new URL(decided.json().data.redirect_to);
}

const withVariables = (text: string) => text.replace(/\$(\w+)/g, (_, name: string) => variables[name] ?? "");

for (const block of blocks) {
	if (block.text.startsWith("$ROOT/api/v1/oauth/authorize?")) {
		test(`docs/connect.md:${block.line} the address to which a user is sent`, async () => {
			const back = await allow(withVariables(block.text.trim()));
			assert.equal(back.origin + back.pathname, "http://127.0.0.1:8976/callback");
			assert.deepEqual([back.searchParams.get("state"), back.searchParams.get("iss")], ["af0ifjsldkj", root]);
			variables.CODE = String(back.searchParams.get("code"));
		});
	}
	for (const step of steps.filter(({ line }) => line === block.line)) {
		test(step.title, async () => {
			const [, name = "", value = ""] = /^export (\w+)=(\S+)$/.exec(step.command) ?? [];
			if (name !== "") variables[name] ??= value;
			else keep(await giveStep(step, variables, (url) => url.replace(root, address)));
		});
	}
}

test("the guide names every tool of the MCP server, and no other", async () => {
	const payload = { jsonrpc: "2.0", id: 1, method: "tools/list" };
	const response = await app.inject({ method: "POST", url: "/mcp", headers: { "x-api-key": variables.KEY }, payload });
	const tools: { name: string }[] = response.json().result.tools;
	const [, section = ""] = /### What it can do\n([\s\S]*?)Their arguments/.exec(guide) ?? [];
	const named = [...section.matchAll(/`(\w+)`/g)].map(([, name]) => name);
	assert.deepEqual(named.sort(), tools.map(({ name }) => name).sort());
});

test("the guide tells of every error code of the OAuth routes", () => {
	const codes = ["invalid_request", "invalid_client", "invalid_redirect_uri", "invalid_grant", "invalid_scope"];
	const more = ["unsupported_response_type", "unsupported_grant_type", "access_denied"];
	for (const code of [...codes, ...more]) assert.ok(guide.includes(`\`${code}\``), code);
});
