import assert from "node:assert/strict";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import type { Session } from "./accounts.ts";
import { dataOf } from "./request-of.ts";
import type { TestApp } from "./test-app.ts";

type Credential = Readonly<Record<string, string>>;

/** Connects to a service that listens, by the revision of the protocol with a handshake or the one without. */
export async function connectMcp(
	app: TestApp,
	credential: Credential,
	{ mode = "legacy", headers = {} }: { readonly mode?: "legacy" | "auto"; readonly headers?: Credential } = {},
) {
	const sdk = new Client({ name: "test", version: "1" }, { versionNegotiation: { mode } });
	const requestInit = { headers: { ...credential, ...headers } };
	await sdk.connect(new StreamableHTTPClientTransport(new URL(`${await app.address()}/mcp`), { requestInit }));
	return {
		sdk,
		/** Calls a tool; the text of its answer must equal its data. */
		async call(name: string, given: Readonly<Record<string, unknown>> = {}) {
			const { content, structuredContent, isError } = await sdk.callTool({ name, arguments: { ...given } });
			assert.deepEqual(content, [{ type: "text", text: JSON.stringify(structuredContent) }]);
			return { isError: isError === true, data: structuredContent as ReturnType<typeof JSON.parse> };
		},
		close: () => sdk.close(),
	};
}

export async function newKey(
	app: TestApp,
	owner: Session,
	options: { readonly scopes?: readonly string[]; readonly account_ids?: readonly string[] } = {},
): Promise<{ "x-api-key": string }> {
	const body = { name: "assistant", ...options };
	return { "x-api-key": (await dataOf(app, "POST /api-tokens", { headers: owner.headers, body })).token };
}
