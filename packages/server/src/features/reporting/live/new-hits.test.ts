import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveHit } from "../../../analytics/query/reports/live-figures.ts";
import { HitTeller } from "./live-board.ts";
import { LiveStream, StreamPlaces } from "./live-streams.ts";

const labels = { country: "ES", device: "mobile", source: "google", eventType: "", amount: 0 };
const hit = (id: number, path = `/${id}`): LiveHit => ({ id, at: id, kind: "pageview", path, ...labels });
const hits = (...ids: readonly number[]) => ids.map((id) => hit(id));
const upTo = (first: number, last: number) => Array.from({ length: last - first + 1 }, (_, index) => index + first);

const looks: Readonly<Record<string, readonly (readonly [seen: number[], told: number[], skipped?: number])[]>> = {
	"what was there at the first look is not told, nor anything twice": [
		[[1, 2], []],
		[[1, 2, 3], [3]],
		[[2, 3], []],
	],
	"a hit that was stored late is told when it comes, and one that was missing for a moment not again": [
		[[1], []],
		[[1, 5], [5]],
		[[1, 3, 5], [3]],
		[[1, 3], []],
		[[1, 3, 5, 4], [4]],
	],
	"hits that are the same in everything are told as often as they are there": [
		[[], []],
		[
			[7, 7],
			[7, 7],
		],
		[[7, 7, 7], [7]],
	],
	"of more than twenty the latest are told, and how many were not": [
		[[], []],
		[upTo(1, 25), upTo(6, 25), 5],
		[upTo(1, 25), []],
	],
};

for (const [title, steps] of Object.entries(looks)) {
	test(title, () => {
		const teller = new HitTeller();
		for (const [seen, expected, left = 0] of steps) {
			// The next look goes back to the first of these.
			const { told, skipped } = teller.look(hits(...seen), (seen[0] ?? 1) - 1);
			assert.deepEqual([told.map(({ id }) => id), skipped], [expected, left]);
		}
	});
}

test("streams at once: 5 of a user, 50 of an organization, 200 of a process; a place given back twice is one place", () => {
	const places = new StreamPlaces();
	const refusal = { code: "rate_limit_exceeded", retryAfter: 10 };
	const leave = Array.from({ length: 5 }, () => places.take(1, "a"));
	assert.throws(() => places.take(1, "b"), refusal);
	leave[0]?.();
	leave[0]?.();
	places.take(1, "a");
	assert.throws(() => places.take(1, "b"), refusal);
	for (let user = 2; user < 47; user += 1) places.take(user, "a");
	assert.throws(() => places.take(1000, "a"), refusal);
	for (let user = 50; user < 200; user += 1) places.take(user, `other ${user % 3}`);
	assert.throws(() => places.take(1000, "b"), refusal);
	leave[1]?.();
	places.take(1000, "a");
});

const MINUTE = 60_000;
const openStream = (checkAgain = async (): Promise<{ endsAt: null }> => ({ endsAt: null })) =>
	new LiveStream(0, { caller: { userId: 1, endsAt: null }, checkAgain });
const long = Array.from({ length: 20 }, (_, id) => hit(id, `/${"x".repeat(4000)}`));

/** All that waits to be read. */
function readAll({ body }: LiveStream): string {
	let text = "";
	for (let piece = body.read(); piece !== null; piece = body.read()) text += piece;
	return text;
}

test("a reader who is too slow is told how much passed, and nothing piles up; who is far behind is not waited for at the end", () => {
	const stream = openStream();
	for (let second = 0; second < 100; second += 1) {
		stream.tell({ activeVisits: second }, { told: long, skipped: 1 });
	}
	assert.ok(stream.body.readableLength < 100_000, String(stream.body.readableLength));
	readAll(stream);
	stream.tell({ activeVisits: 7 }, { told: [hit(1, "/last")], skipped: 0 });
	const text = readAll(stream);
	assert.match(text, /^event: now\ndata: {"active_visits":7}\n\nevent: hits\ndata: \[.*"path":"\/last".*\]\n\n/);
	// Each of 99 seconds had twenty hits, and one that was not told anyway.
	assert.ok(text.endsWith(`event: skipped\ndata: {"count":${99 * 21}}\n\n`), text);
	stream.tell({ activeVisits: 1 }, { told: long, skipped: 0 });
	stream.end("shutdown");
	assert.ok(stream.body.destroyed);
});

test("a check that fails, or is not answered for a minute, ends the stream", async () => {
	for (const [checkAgain, at] of [
		[() => Promise.reject(new Error("away")), MINUTE],
		[() => new Promise<never>(() => undefined), 2 * MINUTE],
	] as const) {
		const stream = openStream(checkAgain);
		stream.tick(MINUTE);
		stream.tick(at);
		await new Promise(setImmediate);
		assert.match(readAll(stream), /event: end\ndata: {"reason":"unavailable"}\n\n$/);
	}
});
