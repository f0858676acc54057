import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { after, beforeEach, test } from "node:test";
import { createSite, signIn } from "../../test/support/accounts.ts";
import { sendHits } from "../../test/support/hits.ts";
import { testApp } from "../../test/support/test-app.ts";
import type { EventQuery } from "../platform/event-store/event-store.ts";
import { type Asker, currentAsker } from "../platform/lib/asker.ts";

/** Caller of each query to the event store. */
const asked: (Asker | undefined)[] = [];
const arrivals = new EventEmitter();
const questions = async (count: number): Promise<void> => {
	while (asked.length < count) await once(arrivals, "question");
};
/** While it is true each question waits until its asker has gone. */
let isHeld = false;
/** The same of pieces of an answer. */
let arePiecesHeld = false;

async function* held<T>(pieces: AsyncIterable<T>): AsyncGenerator<T> {
	const signal = currentAsker()?.signal;
	for await (const piece of pieces) {
		arrivals.emit("piece");
		if (arePiecesHeld && signal?.aborted === false) await once(signal, "abort");
		yield piece;
	}
}

const app = await testApp({
	// Each question is asked of the store, however often it was asked before.
	env: { REPORT_CACHE_BYTES: "0" },
	wrapEventStore: (store) => ({
		...store,
		query: async (query) => {
			const asker = currentAsker();
			asked.push(asker);
			arrivals.emit("question");
			if (isHeld) await new Promise((resolve) => asker?.signal.addEventListener("abort", resolve, { once: true }));
			return store.query(query);
		},
		stream: <Row extends object>(query: EventQuery) => held(store.stream<Row>(query)),
		streamBytes: (query) => held(store.streamBytes(query)),
	}),
});
const ann = await signIn(app);
await createSite(app, ann);
await createSite(app, ann, { name: "Blog", domains: ["blog.example"] });
const payload = { name: "test", scopes: ["stats:read"] };
const made = await app.inject({ method: "POST", url: "/api/v1/api-tokens", headers: ann.headers, payload });
/** Headers of requests with a key. */
const headers = { "x-api-key": made.json().data.token, "content-type": "application/json" };
const url = `${await app.address()}/api/v1`;
after(() => app.close());
beforeEach(() => {
	asked.length = 0;
	isHeld = false;
});

const open = { date_from: "2026-11-20", date_to: "2026-11-20", metrics: ["page_views"], dimensions: ["country"] };
const overview = "/stats/overview?site_id=shop";
const askers = () => [...new Set(asked.map((asker) => `${asker?.id} ${asker?.tenant} ${asker?.kind}`))];

/** Asks and hangs up at an event. */
async function hangUpAt(event: Promise<unknown>, path: string, request: RequestInit): Promise<void> {
	const hangUp = new AbortController();
	const answer = fetch(url + path, { ...request, signal: hangUp.signal });
	await event;
	hangUp.abort();
	await assert.rejects(answer, { name: "AbortError" });
}

test("a question is asked by the key or user of its request, in the name of the site's organization; those of a batch are one's, too", async () => {
	await app.inject({ url: `/api/v1${overview}`, headers: ann.headers });
	const [user = ""] = askers();
	assert.match(user, /^user:\d+ organization:\S+ interactive$/);
	asked.length = 0;
	const queries = ["shop", "blog", "shop"].map((site_id, at) => ({
		id: `q${at}`,
		endpoint: at === 2 ? "/stats/query" : "/stats/overview",
		params: { site_id, ...(at === 2 && open) },
	}));
	const batch = await app.inject({ method: "POST", url: "/api/v1/batch", headers, payload: { queries } });
	assert.equal(batch.json().status, "completed", batch.body);
	await app.inject({ url: `/api/v1${overview}`, headers });
	const [ofKey = "", ...others] = askers();
	assert.match(ofKey, /^key:\d+ /);
	assert.deepEqual([ofKey.split(" ")[1], others], [user.split(" ")[1], []]);
});

test("the asker is known behind a body that comes in pieces over a connection, too", async () => {
	const body = JSON.stringify(open);
	const socket = connect(Number(new URL(url).port), "127.0.0.1");
	const lines = Object.entries({ ...headers, host: "x", "content-length": body.length }).map((line) => line.join(": "));
	socket.write(["POST /api/v1/stats/query?site_id=shop HTTP/1.1", ...lines, "", ""].join("\r\n"));
	await new Promise((resolve) => setImmediate(resolve));
	socket.write(body);
	await questions(1);
	assert.match(askers().join(), /^key:\d+ organization:\S+ interactive$/);
	socket.destroy();
});

test("a client that hangs up stops its questions: a report, and a batch with all that it has not begun", async () => {
	const query = { endpoint: "/stats/overview", params: { site_id: "shop" } };
	const queries = Array.from({ length: 20 }, (_, at) => ({ id: `q${at}`, ...query }));
	const batch = { method: "POST", body: JSON.stringify({ queries, options: { parallel_limit: 3 } }), headers };
	const lines = { ...batch, headers: { ...headers, accept: "application/x-ndjson" } };
	for (const [path, request, atOnce] of [
		[overview, { headers }, 1],
		["/stats/pages?site_id=shop", { headers }, 1],
		["/batch", batch, 3],
		["/batch", lines, 3],
	] as const) {
		asked.length = 0;
		isHeld = true;
		await hangUpAt(questions(atOnce), path, request);
		await Promise.all(asked.map(async (asker) => asker?.signal.aborted || (asker && once(asker.signal, "abort"))));
		const before = asked.length;
		isHeld = false;
		await app.inject({ url: `/api/v1${overview}`, headers });
		assert.ok(asked.slice(before).every((asker) => asker?.signal.aborted === false));
		assert.ok(before < 20, `${before} questions were begun`);
	}
	const faults = app.logLines.filter((line) => JSON.parse(line).level >= 50);
	assert.deepEqual(faults, []);
});

test("readers who leave as the first rows of a file come leave its places to others", async () => {
	await sendHits(app, [{ site: "shop", url: "https://shop.example/" }]);
	const days = { date_from: "2026-11-21", date_to: "2026-11-21" };
	for (const [path, body] of [
		["/exports/stream?account_id=shop", { export_type: "time_series", format: "csv", ...days }],
		["/stats/query/export?site_id=shop", { ...open, ...days }],
	] as const) {
		const request = { method: "POST", body: JSON.stringify(body), headers };
		arePiecesHeld = true;
		for (let reader = 0; reader < 4; reader++) await hangUpAt(once(arrivals, "piece"), path, request);
		arePiecesHeld = false;
		assert.equal((await fetch(url + path, request)).status, 200, path);
	}
});
