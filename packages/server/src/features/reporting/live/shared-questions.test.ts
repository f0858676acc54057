import assert from "node:assert/strict";
import { after, afterEach, before, beforeEach, test } from "node:test";
import { pino } from "pino";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { type LiveReader, readLive } from "../../../../test/support/live-reader.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import { recordingStore } from "../../../../test/support/sql-snapshots.ts";
import { createTestClock } from "../../../../test/support/test-clock.ts";
import { describeGuard } from "../../../composition/api-description.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import type { App } from "../../../platform/http/app.ts";
import { createHttpApp } from "../../../platform/http/create-http-app.ts";
import { registerLive } from "./index.ts";

const clock = createTestClock("2026-11-21T12:00:00.000Z");
/** Active timers. */
const ticking = new Set<() => void>();
let stopped = Promise.withResolvers<void>();
/** Settled when a question was not answered. */
let failure = Promise.withResolvers<void>();

let recorder: ReturnType<typeof recordingStore>;
let app: App;
let address: string;
let open: LiveReader[] = [];
let stored: (sites: ReadonlySet<string> | "all") => void = () => undefined;

before(async () => {
	recorder = recordingStore(await openOracleStore());
	app = await createHttpApp({ log: pino({ level: "silent" }), clock, trustProxy: false, describeGuard });
	let users = 0;
	app.addHook("onRequest", async (request) => {
		const { site_id: id = "" } = request.query as { site_id?: string };
		users += 1;
		Object.assign(request, { site: { id, organizationId: "o", share: null }, caller: { userId: users, endsAt: null } });
	});
	app.decorateRequest("checkAgain", async () => ({ endsAt: null }) as never);
	const query: EventStore["query"] = (question) => {
		const answer = recorder.store.query<never>(question);
		answer.catch(() => failure.resolve());
		return answer;
	};
	const every = (_ms: number, work: () => void) => {
		ticking.add(work);
		return () => {
			ticking.delete(work);
			if (ticking.size === 0) stopped.resolve();
		};
	};
	registerLive(app, {
		eventStore: { ...recorder.store, query },
		clock: { ...clock, every },
		segments: async () => undefined,
		whenStored: (told) => {
			stored = told;
		},
	});
	address = await app.listen({ host: "127.0.0.1", port: 0 });
});
beforeEach(() => {
	clock.advance(60_000);
});
afterEach(leave);
after(async () => {
	await app.close();
	await recorder.store.close();
});

/** Hangs up for all who watch; resolves when nothing ticks. */
async function leave(): Promise<void> {
	stopped = Promise.withResolvers();
	for (const reader of open) reader.leave();
	if (ticking.size > 0) await stopped.promise;
	open = [];
}

async function watch(query = "site_id=shop"): Promise<LiveReader> {
	const reader = await readLive(`${address}/stats/live/stream?${query}`, {});
	assert.equal(reader.status, 200);
	open.push(reader);
	await reader.next("now");
	return reader;
}

/** Somebody who watches, whose opening question the first tick has found. */
async function watching(): Promise<LiveReader> {
	const stream = await watch();
	tick();
	recorder.taken();
	return stream;
}

/** A second later. */
function tick(): void {
	clock.advance(1000);
	for (const work of ticking) work();
}

const hit = (path: string) =>
	insertRows(recorder.store, [pageviewRow({ site: "shop", ts: clock.now(), session: "1", path })]);

async function assertTold(stream: LiveReader, path: string): Promise<void> {
	const hits = (await stream.next("hits")) as readonly { readonly path: string }[];
	assert.deepEqual(
		hits.map((told) => told.path),
		[path],
	);
}

const questions = () => recorder.taken().length;

test("watchers of a site cause one question a second together, and are told the same", async () => {
	recorder.taken();
	const streams = await Promise.all([watch(), watch(), watch()]);
	assert.deepEqual([questions(), ticking.size], [1, 1]);
	// The first tick finds the question that opening asked.
	tick();
	assert.equal(questions(), 0);
	for (const path of ["/a", "/b", "/c"]) {
		await hit(path);
		tick();
		for (const stream of streams) await assertTold(stream, path);
		assert.equal(questions(), 1);
	}
});

test("figures that are asked for while a site is watched take part in its questions", async () => {
	const stream = await watching();
	await hit("/d");
	assert.equal((await fetch(`${address}/stats/live?site_id=shop`)).status, 200);
	await assertTold(stream, "/d");
	tick();
	assert.equal((await fetch(`${address}/stats/live?site_id=shop&country=ES`)).status, 200);
	assert.equal(questions(), 2);
});

test("other filters are another question, and nobody who watches asks nothing", async () => {
	await Promise.all(["site_id=shop&country=ES", "site_id=other"].map(watch));
	await watching();
	tick();
	assert.equal(questions(), 3);
	await leave();
	tick();
	assert.equal(questions(), 0);
});

test("a stream goes on when the event store was away, and tells what came meanwhile", async () => {
	const stream = await watching();
	await recorder.store.command("RENAME TABLE events TO events_away");
	failure = Promise.withResolvers();
	tick();
	await failure.promise;
	await recorder.store.command("RENAME TABLE events_away TO events");
	await hit("/meanwhile");
	clock.advance(20_000);
	tick();
	await assertTold(stream, "/meanwhile");
});

test("hits are told when they are stored, not at the next tick, and it remains one question a second", async () => {
	const stream = await watching();
	for (const path of ["/first", "/second"]) {
		clock.advance(500);
		await hit(path);
		stored(new Set(["shop", "other"]));
		await assertTold(stream, path);
		clock.advance(-500);
		tick();
		assert.equal(questions(), 1);
	}
	await hit("/third");
	stored(new Set(["other"]));
	clock.advance(100);
	// So soon after the last one it waits for the tick.
	stored("all");
	assert.equal(questions(), 0);
	clock.advance(-100);
	tick();
	await assertTold(stream, "/third");
});

test("hits that are stored while a question runs are told by the one behind it", async () => {
	const stream = await watching();
	clock.advance(1000);
	stored("all");
	await hit("/during");
	clock.advance(1000);
	stored("all");
	await assertTold(stream, "/during");
});
