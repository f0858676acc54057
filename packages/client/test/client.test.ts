import assert from "node:assert/strict";
import { createServer } from "node:http";
import { after, test } from "node:test";
import { newSecret, signatureHeaders } from "../../server/src/features/delivering/webhooks/endpoints/sealed-values.ts";
import { listenLocally } from "../../server/test/support/local-server.ts";
import { type ClientOptions, createClient, FootfallError, verifyWebhook } from "../src/index.ts";
import { openShop } from "./shop.ts";

const shop = await openShop({ RATE_LIMIT_ENABLED: "true" });
after(() => shop.app.close());

const client = (options: Partial<ClientOptions> = {}) =>
	createClient({ baseUrl: `${shop.root}/`, apiKey: shop.key, ...options });
const week = { query: { site_id: "shop", period: "7d" } } as const;

/** The error with which a call ends. */
async function failureOf(call: Promise<unknown>): Promise<FootfallError> {
	const error = await call.then(
		() => undefined,
		(reason: unknown) => reason,
	);
	assert.ok(error instanceof FootfallError, `${error}`);
	return error;
}

test("an answer comes without its envelope; lists of values are repeated parameters, and parts of an address are encoded", async () => {
	const pages = await client().call("GET /stats/pages", { query: { ...week.query, page_size: 2 } });
	assert.deepEqual([pages.total, pages.has_next, pages.data[0]?.path], [3, true, "/"]);
	const { traffic } = await client().call("GET /stats/overview", {
		query: { ...week.query, utm_source: ["news", "google"], country: undefined },
	});
	assert.equal(traffic.entrances, 2);
	const error = await failureOf(client().call("GET /sites/{id}", { path: { id: "a/b?c" } }));
	assert.deepEqual([error.status, error.code], [404, "account_not_found"]);
	await assert.rejects(client().call("GET /sites/{id}", { path: { id: "" } }), /GET \/sites\/\{id\} needs path\.id/);
});

test("a refused request is one error with code, status, faulty fields and the request's id", async () => {
	const error = await failureOf(
		client().call("GET /stats/pages", { query: { site_id: "shop", period: "fortnight" as "7d", page_size: 5000 } }),
	);
	assert.deepEqual([error.name, error.status, error.code], ["FootfallError", 422, "validation_error"]);
	assert.deepEqual(
		error.detail.map(({ field, type }) => [field, type]),
		[
			["query.period", "enum"],
			["query.page_size", "maximum"],
		],
	);
	assert.match(error.message, /^The request failed validation: query\.period: must be one of today, /);
	assert.match(error.requestId ?? "", /^[0-9a-f-]{36}$/);
	const unknown = await failureOf(client({ apiKey: "svc_unknown" }).call("GET /sites"));
	assert.deepEqual([unknown.status, unknown.code, unknown.detail], [401, "unauthorized", []]);
});

test("a credential may be asked for anew for each request", async () => {
	let asked = 0;
	const footfall = createClient({
		baseUrl: shop.root,
		accessToken: async () => {
			asked++;
			return shop.token;
		},
	});
	assert.equal((await footfall.call("GET /auth/me")).email, "ann@example.com");
	await footfall.call("PATCH /sites/{id}", { path: { id: "shop" }, body: { name: "The shop" } });
	assert.equal((await footfall.call("GET /sites/{id}", { path: { id: "shop" } })).name, "The shop");
	assert.equal(asked, 3);
});

test("an answer that is no JSON comes as it is, an empty one as undefined, and a file is sent as a form", async () => {
	const csv = await client().call("POST /stats/query/export", {
		query: { site_id: "shop" },
		body: { date_from: "2026-11-15", date_to: "2026-11-21", metrics: ["entrances"], dimensions: ["utm_source"] },
	});
	assert.equal(csv.headers.get("Content-Type"), "text/csv; charset=utf-8");
	assert.match(await csv.text(), /^utm_source,entrances\r?\n/);
	const footfall = createClient({ baseUrl: shop.root, accessToken: shop.token });
	const form = new FormData();
	form.set("source", "access_log");
	const line = `203.0.113.9 - - [10/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 512 "-" "Mozilla/5.0"`;
	form.set("file", new Blob([line]), "access.log");
	const query = { account_id: "shop" };
	const { file_name, file_size_bytes, import_id } = await footfall.call("POST /imports", { query, body: form });
	assert.deepEqual([file_name, file_size_bytes], ["access.log", line.length]);
	assert.equal(await footfall.call("DELETE /imports/{import_id}", { path: { import_id }, query }), undefined);
});

test("rows come over all pages, whatever tells the pages apart, and no page is asked that is not read", async () => {
	const asked: string[] = [];
	const footfall = client({
		fetch: (request) => {
			asked.push(new URL(request.url).search);
			return fetch(request);
		},
	});
	const rows = footfall.rows("GET /stats/pages", { query: { ...week.query, page_size: 1 } });
	assert.deepEqual(await Array.fromAsync(rows, ({ path }) => path), ["/", "/cart", "/sale"]);
	assert.equal(asked.length, 3);
	const fromSecond = footfall.rows("GET /stats/pages", { query: { ...week.query, page_size: 1, page: 2 } });
	assert.equal((await fromSecond.next()).value?.path, "/cart");
	assert.equal(asked.length, 4);
	for (const export_type of ["pages", "sources", "devices"] as const)
		await footfall.call("POST /exports", {
			query: { account_id: "shop" },
			body: { export_type, date_from: "2026-11-20", date_to: "2026-11-21" },
		});
	asked.length = 0;
	const exports = footfall.rows("GET /exports", { query: { account_id: "shop", limit: 2 } });
	const types = await Array.fromAsync(exports, ({ export_type }) => export_type);
	assert.deepEqual(types.sort(), ["devices", "pages", "sources"]);
	assert.deepEqual(asked, ["?account_id=shop&limit=2&offset=0", "?account_id=shop&limit=2&offset=2"]);
	const last = footfall.rows("GET /exports", { query: { account_id: "shop", limit: 2, offset: 2 } });
	assert.equal((await Array.fromAsync(last)).length, 1);
	const beyond = footfall.pages("GET /stats/pages", { query: { site_id: "shop", period: "today", page: 9 } });
	assert.deepEqual(await Array.fromAsync(beyond, ({ data }) => data.length), [0]);
});

test("beyond the limit a client that retries waits as long as it is told, and one that does not says so", async () => {
	const strangers = createClient({ baseUrl: shop.root });
	const refused = await Promise.all(Array.from({ length: 70 }, () => strangers.call("GET /config").catch(String)));
	assert.ok(refused.some((answer) => `${answer}`.startsWith("FootfallError")));
	const error = await failureOf(strangers.call("GET /config"));
	assert.deepEqual([error.status, error.code], [429, "rate_limit_exceeded"]);
	assert.ok((error.retryAfterSeconds ?? 0) > 0);

	const waits: number[] = [];
	const wait = async (ms: number) => {
		waits.push(ms);
		shop.app.clock.advance(ms);
	};
	const hurried = createClient({ baseUrl: shop.root, retry: { times: 3, longestWaitMs: 1 }, wait });
	assert.equal((await failureOf(hurried.call("GET /config"))).code, "rate_limit_exceeded");
	assert.deepEqual(waits, []);
	const longestWaitMs = (error.retryAfterSeconds ?? 0) * 1000;
	const patient = createClient({ baseUrl: shop.root, retry: { times: 1, longestWaitMs }, wait });
	assert.equal((await patient.call("GET /config")).payments, "none");
	assert.deepEqual(waits, [longestWaitMs]);
});

test("a service that says it is busy is asked again as often as was agreed, and no further", async (t) => {
	let asked = 0;
	const server = createServer((request, response) => {
		asked++;
		if (request.url === "/api/v1/sites") response.writeHead(200, { "content-type": "application/json" }).end("{");
		else response.writeHead(503, { "retry-after": "60", "x-request-id": "r-1" }).end("busy");
	});
	const root = await listening(t, server);
	const waits: number[] = [];
	const footfall = createClient({ baseUrl: root, retry: { times: 2 }, wait: async (ms) => void waits.push(ms) });
	const { status, code, requestId } = await failureOf(footfall.call("GET /config"));
	assert.deepEqual([status, code, requestId, asked, waits], [503, "unexpected_answer", "r-1", 3, [60_000, 60_000]]);
	// A caller who leaves while the client waits ends the call.
	const caller = new AbortController();
	const left = createClient({ baseUrl: root, retry: { times: 2 }, wait: async () => caller.abort() });
	await assert.rejects(left.call("GET /config", { signal: caller.signal }), { name: "AbortError" });
	assert.equal(asked, 4);
	const broken = await failureOf(footfall.call("GET /sites"));
	assert.deepEqual([broken.status, broken.code], [200, "unexpected_answer"]);
});

test("no answer in time, none at all, and one that its caller breaks off are told apart", async (t) => {
	const root = await listening(
		t,
		createServer(() => undefined),
	);
	const late = await failureOf(createClient({ baseUrl: root, timeoutMs: 20 }).call("GET /config"));
	assert.deepEqual([late.code, late.status], ["timeout", 0]);
	const caller = new AbortController();
	const broken = createClient({ baseUrl: root }).call("GET /config", { signal: caller.signal });
	caller.abort();
	await assert.rejects(broken, { name: "AbortError" });
	await assert.rejects(createClient({ baseUrl: root }).call("GET /config", { signal: caller.signal }), {
		name: "AbortError",
	});
	const away = await failureOf(createClient({ baseUrl: "http://127.0.0.1:1" }).call("GET /config"));
	assert.deepEqual([away.code, away.status], ["offline", 0]);
});

test("lines come as objects, and an answer that has none is an error", async () => {
	const body = { queries: [{ id: "a", endpoint: "/stats/overview", params: { site_id: "shop", period: "7d" } }] };
	const lines = client().lines<{ readonly id?: string; readonly status: string }>("POST /batch", { body });
	assert.deepEqual(await Array.fromAsync(lines, ({ id, status }) => [id, status]), [
		["a", "success"],
		[undefined, "completed"],
	]);
	assert.equal((await failureOf(client().lines("GET /sites").next())).code, "unexpected_answer");
	const bytes = [...Buffer.from('{"name":"Größe"}\n{"name":"last"}')];
	let isCancelled = false;
	const pieces = () => {
		const left = bytes.map((byte) => Uint8Array.of(byte));
		return new ReadableStream<Uint8Array>({
			pull: (controller) => {
				const piece = left.shift();
				if (piece === undefined) controller.close();
				else controller.enqueue(piece);
			},
			cancel: () => {
				isCancelled = true;
			},
		});
	};
	const headers = { "content-type": "application/x-ndjson" };
	const slow = client({ fetch: async () => new Response(pieces(), { headers }) });
	const named = slow.lines<{ readonly name: string }>("POST /batch", { body });
	assert.deepEqual(await Array.fromAsync(named, ({ name }) => name), ["Größe", "last"]);
	for await (const _ of slow.lines("POST /batch", { body })) break;
	assert.equal(isCancelled, true);
});

test("a message signed by the service is read as an event, in the hours after a change of the secret too; all else is refused", async () => {
	const [secret, previous] = [newSecret(), newSecret()];
	const now = Date.parse("2026-11-21T12:00:00.000Z");
	const event = { event: "goal.reached", event_id: "e1", account_id: "shop", data: { goal_name: "Größe" } };
	const body = JSON.stringify(event);
	const signed = { eventId: "e1", payload: body, timestamp: now / 1000 };
	const headers = signatureHeaders([secret, previous], signed);
	assert.deepEqual(await verifyWebhook({ secret, headers, body, now }), event);
	assert.deepEqual(await verifyWebhook({ secret: previous, headers: new Headers(headers), body, now }), event);
	const bytes = new TextEncoder().encode(body);
	const listed = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name.toUpperCase(), [value]]));
	assert.deepEqual(await verifyWebhook({ secret, headers: listed, body: bytes, now: now + 299_000 }), event);
	const forged = [
		{ secret: newSecret(), headers, body, now },
		{ secret, headers, body: body.replace("shop", "blog"), now },
		{ secret, headers: { ...headers, "webhook-id": "another" }, body, now },
		{ secret, headers: { ...headers, "webhook-timestamp": "soon" }, body, now },
		{ secret, headers: { ...headers, "webhook-signature": "v1,%%% v2,AAAA" }, body, now },
		{ secret, headers: {}, body, now },
		{ secret, headers, body, now: now + 301_000 },
		{ secret, headers, body, now: now - 301_000 },
	];
	for (const request of forged) assert.equal((await failureOf(verifyWebhook(request))).code, "bad_signature");
});

async function listening(t: { after(end: () => Promise<void>): void }, server: ReturnType<typeof createServer>) {
	const { port, close } = await listenLocally(server);
	t.after(close);
	return `http://127.0.0.1:${port}`;
}
