import assert from "node:assert/strict";
import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { type TestContext, test } from "node:test";
import { listenLocally } from "../../../../test/support/local-server.ts";
import { silentLog } from "../../../../test/support/test-store.ts";
import { ServiceError } from "../../errors/service-error.ts";
import type { EventStore } from "../event-store.ts";
import { openEventStore } from "../open-event-store.ts";

// Behaviour of ClickHouse servers that the embedded engine lacks.

/** The store over a server that answers as told. */
async function storeOver(t: TestContext, answer: RequestListener, user = "", path = ""): Promise<EventStore> {
	const { port, close } = await listenLocally(createServer(answer));
	const clickhouseUrl = `http://${user}127.0.0.1:${port}${path}`;
	const store = await openEventStore({ clickhouseUrl, dataDir: "", log: silentLog });
	t.after(async () => {
		await store.close();
		await close();
	});
	return store;
}

/** Fails in every way of using the store. */
async function fails(store: EventStore, code: string, name = /./): Promise<void> {
	for (const use of [
		() => store.query({ sql: "SELECT 1" }),
		() => Array.fromAsync(store.stream({ sql: "SELECT 1" })),
		() => Array.fromAsync(store.streamBytes({ sql: "SELECT 1", format: "TSVRaw" })),
		() => store.command("CREATE TABLE x ON CLUSTER y"),
	]) {
		await assert.rejects(use, (error) => {
			assert.ok(error instanceof ServiceError);
			assert.equal(error.code, code);
			assert.match(String(error.cause), name);
			return true;
		});
	}
}

test("user, password and database of the address are sent, decoded", async (t) => {
	const seen: (string | undefined | null)[] = [];
	const answer: RequestListener = ({ url, headers }, response) => {
		const given = /^Basic (.*)$/.exec(headers.authorization ?? "")?.[1] ?? "";
		seen.push(Buffer.from(given, "base64").toString(), new URL(url ?? "", "http://x").searchParams.get("database"));
		response.end('{"meta":[],"data":[]}');
	};
	const store = await storeOver(t, answer, "m%40x:p%3A%C3%BC@", "/my%20base");
	await store.query({ sql: "SELECT 1" });
	assert.deepEqual(seen, ["m@x:p:ü", "my base"]);
});

test("an error after the first bytes of an answer is found at its end, whatever it quotes", async (t) => {
	const error =
		"Code: 159. DB::Exception: Timeout (TOO_FAST) exceeded. (TIMEOUT_EXCEEDED) (version 26.3.1.1 (official build))";
	const tail = `\r\n__exception__\r\nmark\r\n${error}\n${error.length + 1} mark\r\n__exception__\r\n`;
	const store = await storeOver(t, (request, response) => {
		response.setHeader("X-ClickHouse-Exception-Tag", "mark");
		void text(request).then((sql) => response.end((sql.endsWith("JSONCompact") ? '{"meta":[' : '["a"]\n') + tail));
	});
	await fails(store, "gateway_timeout", /TIMEOUT_EXCEEDED \(159\)/);
});

test("an error whose status is not 200 is that of its header, and named by its text", async (t) => {
	const store = await storeOver(t, (_request, response) => {
		response.writeHead(404, { "X-ClickHouse-Exception-Code": "60" });
		response.end("Code: 60. DB::Exception: Table (X_Y) does not exist. (UNKNOWN_TABLE) (version 26.3.1.1)");
	});
	await fails(store, "database_error", /UNKNOWN_TABLE \(60\)/);
});

test("a connection that closes within an answer is no end of it", async (t) => {
	const store = await storeOver(t, (_request, response) => {
		response.writeHead(200);
		response.write('["a"]\n["UInt8"]\n[1]\n', () => response.destroy());
	});
	await fails(store, "database_unavailable");
});
