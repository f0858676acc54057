import assert from "node:assert/strict";
import { after, afterEach, before, test } from "node:test";
import { pino } from "pino";
import { pageviewRow } from "../../../../test/support/event-rows.ts";
import { type LiveReader, readLive } from "../../../../test/support/live-reader.ts";
import { insertRows, openOracleStore } from "../../../../test/support/oracle-app.ts";
import { recordingStore } from "../../../../test/support/sql-snapshots.ts";
import { createTestClock } from "../../../../test/support/test-clock.ts";
import { describeGuard } from "../../../composition/api-description.ts";
import type { App } from "../../../platform/http/app.ts";
import { createHttpApp } from "../../../platform/http/create-http-app.ts";
import { registerLive } from "./index.ts";

const NOW = "2026-11-21T12:00:00.000Z";
const clock = createTestClock(NOW);
/** Active timers. */
const ticking = new Set<() => void>();
let empty = Promise.withResolvers<void>();
/** Settled when a question was not answered. */
let failure = Promise.withResolvers<void>();
/** Resolves when nothing ticks. */
const stopped = async () => {
	if (ticking.size === 0) return;
	empty = Promise.withResolvers();
	await empty.promise;
};

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
	registerLive(app, {
		eventStore: {
			...recorder.store,
			query: (question) => {
				const answer = recorder.store.query<never>(question);
				answer.catch(() => failure.resolve());
				return answer;
			},
		},
		clock: {
			...clock,
			every: (_ms, work) => {
				ticking.add(work);
				return () => {
					ticking.delete(work);
					if (ticking.size === 0) empty.resolve();
				};
			},
		},
		segments: async () => undefined,
		whenStored: (told) => {
			stored = told;
		},
	});
	address = await app.listen({ host: "127.0.0.1", port: 0 });
});
afterEach(async () => {
	for (const reader of open) reader.leave();
	open = [];
	await stopped();
});
after(async () => {
	await app.close();
	await recorder.store.close();
});

async function watch(query = "site_id=shop"): Promise<LiveReader> {
	const reader = await readLive(`${address}/stats/live/stream?${query}`, {});
	assert.equal(reader.status, 200);
	open.push(reader);
	await reader.next("now");
	return reader;
}

/** A second later. */
function tick(): void {
	clock.advance(1000);
	for (const work of ticking) work();
}

const hit = (path: string) =>
	insertRows(recorder.store, [pageviewRow({ site: "shop", ts: clock.now(), session: "1", path })]);

const pathsOf = (hits: unknown) => (hits as readonly { readonly path: string }[]).map(({ path }) => path);

test("watchers of a site cause one question a second together, and are told the same", async () => {
	recorder.taken();
	const streams = await Promise.all([watch(), watch(), watch()]);
	assert.equal(recorder.taken().length, 1);
	assert.equal(ticking.size, 1);
	// The first tick finds the question that opening asked.
	tick();
	assert.equal(recorder.taken().length, 0);
	for (const path of ["/a", "/b", "/c"]) {
		await hit(path);
		tick();
		for (const stream of streams) assert.deepEqual(pathsOf(await stream.next("hits")), [path]);
		assert.equal(recorder.taken().length, 1);
	}
});

test("figures that are asked for while a site is watched take part in its questions", async () => {
	clock.advance(60_000);
	const stream = await watch();
	tick();
	recorder.taken();
	await hit("/d");
	const figures = await fetch(`${address}/stats/live?site_id=shop`);
	assert.equal(figures.status, 200);
	assert.deepEqual(pathsOf(await stream.next("hits")), ["/d"]);
	tick();
	assert.equal((await fetch(`${address}/stats/live?site_id=shop&country=ES`)).status, 200);
	assert.equal(recorder.taken().length, 2);
});

test("other filters are another question, and nobody who watches asks nothing", async () => {
	clock.advance(60_000);
	const streams = [await watch(), await watch("site_id=shop&country=ES"), await watch("site_id=other")];
	tick();
	recorder.taken();
	tick();
	assert.equal(recorder.taken().length, 3);
	for (const stream of streams) stream.leave();
	await stopped();
	tick();
	assert.equal(recorder.taken().length, 0);
});

test("a stream goes on when the event store was away, and tells what came meanwhile", async () => {
	clock.advance(60_000);
	const stream = await watch();
	tick();
	await recorder.store.command("RENAME TABLE events TO events_away");
	failure = Promise.withResolvers();
	tick();
	await failure.promise;
	await recorder.store.command("RENAME TABLE events_away TO events");
	await hit("/meanwhile");
	clock.advance(20_000);
	tick();
	assert.deepEqual(pathsOf(await stream.next("hits")), ["/meanwhile"]);
});

test("hits are told when they are stored, not at the next tick, and it remains one question a second", async () => {
	clock.advance(60_000);
	const stream = await watch();
	tick();
	recorder.taken();
	for (const path of ["/first", "/second"]) {
		clock.advance(500);
		await hit(path);
		stored(new Set(["shop", "other"]));
		assert.deepEqual(pathsOf(await stream.next("hits")), [path]);
		clock.advance(-500);
		tick();
		assert.equal(recorder.taken().length, 1);
	}
	await hit("/third");
	stored(new Set(["other"]));
	assert.equal(recorder.taken().length, 0);
	clock.advance(100);
	// So soon after the last one it waits for the tick.
	stored("all");
	assert.equal(recorder.taken().length, 0);
	clock.advance(-100);
	tick();
	assert.deepEqual(pathsOf(await stream.next("hits")), ["/third"]);
});

test("hits that are stored while a question runs are told by the one behind it", async () => {
	clock.advance(60_000);
	const stream = await watch();
	tick();
	clock.advance(1000);
	stored("all");
	await hit("/during");
	clock.advance(1000);
	stored("all");
	assert.deepEqual(pathsOf(await stream.next("hits")), ["/during"]);
});
