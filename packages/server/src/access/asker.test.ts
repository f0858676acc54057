import assert from "node:assert/strict";
import { EventEmitter, once } from "node:events";
import { connect } from "node:net";
import { after, before, beforeEach, test } from "node:test";
import { createSite, type Session, signIn } from "../../test/support/accounts.ts";
import { sendHits } from "../../test/support/hits.ts";
import { type TestApp, testApp } from "../../test/support/test-app.ts";
import type { EventQuery } from "../platform/event-store/event-store.ts";
import { type Asker, currentAsker } from "../platform/lib/asker.ts";

let app: TestApp;
let ann: Session;
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

before(async () => {
	app = await testApp({
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
	ann = await signIn(app);
	await createSite(app, ann);
	await createSite(app, ann, { name: "Blog", domains: ["blog.example"] });
});
after(() => app.close());
beforeEach(() => {
	asked.length = 0;
	isHeld = false;
});

const open = { date_from: "2026-11-20", date_to: "2026-11-20", metrics: ["page_views"], dimensions: ["country"] };
const askers = () => [...new Set(asked.map((asker) => `${asker?.id} ${asker?.tenant} ${asker?.kind}`))];

async function apiKey(): Promise<Record<string, string>> {
	const payload = { name: "test", scopes: ["stats:read"] };
	const made = await app.inject({ method: "POST", url: "/api/v1/api-tokens", headers: ann.headers, payload });
	return { "x-api-key": made.json().data.token };
}

test("a question is asked by the key or user of its request, in the name of the site's organization", async () => {
	const key = await apiKey();
	const overview = "/api/v1/stats/overview?site_id=shop";
	await app.inject({ url: overview, headers: ann.headers });
	const [user = ""] = askers();
	assert.match(user, /^user:\d+ organization:\S+ interactive$/);
	asked.length = 0;
	assert.equal((await app.inject({ url: overview, headers: key })).statusCode, 200);
	const [ofKey = ""] = askers();
	assert.match(ofKey, /^key:\d+ /);
	assert.equal(ofKey.split(" ")[1], user.split(" ")[1]);
});

test("the asker is known behind a body that comes in pieces over a connection, too", async () => {
	const { port } = new URL(await app.address());
	const body = JSON.stringify(open);
	const socket = connect(Number(port), "127.0.0.1");
	const head = Object.entries({ ...(await apiKey()), "content-type": "application/json" }).map(
		([k, v]) => `${k}: ${v}`,
	);
	socket.write(
		`POST /api/v1/stats/query?site_id=shop HTTP/1.1\r\nhost: x\r\ncontent-length: ${body.length}\r\n${head.join("\r\n")}\r\n\r\n`,
	);
	await new Promise((resolve) => setImmediate(resolve));
	socket.write(body);
	await questions(1);
	assert.match(askers().join(), /^key:\d+ organization:\S+ interactive$/);
	socket.destroy();
});

test("the questions of a batch are those of who sent it", async () => {
	const queries = ["shop", "blog", "shop"].map((site_id, at) => ({
		id: `q${at}`,
		endpoint: at === 2 ? "/stats/query" : "/stats/overview",
		params: { site_id, ...(at === 2 && open) },
	}));
	const answer = await app.inject({
		method: "POST",
		url: "/api/v1/batch",
		headers: await apiKey(),
		payload: { queries },
	});
	assert.equal(answer.json().status, "completed", answer.body);
	assert.equal(askers().length, 1);
	assert.match(askers()[0] ?? "", /^key:\d+ organization:/);
});

test("who hangs up stops what was asked for them: a report, and a batch with all that it has not begun", async () => {
	const headers = { ...(await apiKey()), "content-type": "application/json" };
	const url = `${await app.address()}/api/v1`;
	const queries = Array.from({ length: 20 }, (_, at) => ({
		id: `q${at}`,
		endpoint: "/stats/overview",
		params: { site_id: "shop" },
	}));
	const batch = { method: "POST", body: JSON.stringify({ queries, options: { parallel_limit: 3 } }), headers };
	const lines = { ...batch, headers: { ...headers, accept: "application/x-ndjson" } };
	for (const [path, request, atOnce] of [
		["/stats/overview?site_id=shop", { headers }, 1],
		["/stats/pages?site_id=shop", { headers }, 1],
		["/batch", batch, 3],
		["/batch", lines, 3],
	] as const) {
		asked.length = 0;
		isHeld = true;
		const hangUp = new AbortController();
		const answer = fetch(url + path, { ...request, signal: hangUp.signal });
		await questions(atOnce);
		hangUp.abort();
		await assert.rejects(answer, { name: "AbortError" });
		await Promise.all(asked.map(async (asker) => asker?.signal.aborted || (asker && once(asker.signal, "abort"))));
		const before = asked.length;
		isHeld = false;
		await app.inject({ url: "/api/v1/stats/overview?site_id=shop", headers });
		assert.ok(asked.slice(before).every((asker) => asker?.signal.aborted === false));
		assert.ok(before < 20, `${before} questions were begun`);
	}
	assert.deepEqual(
		app.logLines.filter((line) => JSON.parse(line).level >= 50),
		[],
	);
});

test("readers who leave as the first rows of a file come leave its places to others", async () => {
	await sendHits(app, [{ site: "shop", url: "https://shop.example/" }]);
	const days = { date_from: "2026-11-21", date_to: "2026-11-21" };
	const headers = { ...(await apiKey()), "content-type": "application/json" };
	const url = `${await app.address()}/api/v1`;
	for (const [path, body] of [
		["/exports/stream?account_id=shop", { export_type: "time_series", format: "csv", ...days }],
		["/stats/query/export?site_id=shop", { ...open, ...days }],
	] as const) {
		const request = { method: "POST", body: JSON.stringify(body), headers };
		arePiecesHeld = true;
		for (let reader = 0; reader < 4; reader++) {
			const hangUp = new AbortController();
			const answer = fetch(url + path, { ...request, signal: hangUp.signal });
			await once(arrivals, "piece");
			hangUp.abort();
			await assert.rejects(answer, { name: "AbortError" });
		}
		arePiecesHeld = false;
		assert.equal((await fetch(url + path, request)).status, 200, path);
	}
});
