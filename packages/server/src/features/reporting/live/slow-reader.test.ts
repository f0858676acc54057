import assert from "node:assert/strict";
import { test } from "node:test";
import type { LiveHit } from "../../../analytics/query/reports/live-figures.ts";
import { LiveStream } from "./live-stream.ts";

const MINUTE = 60_000;
const holds = async () => ({ endsAt: null });

const hits = (count: number, path: string): LiveHit[] =>
	Array.from({ length: count }, (_, id) => ({
		id,
		at: 0,
		kind: "pageview",
		path,
		country: "ES",
		device: "mobile",
		source: "google",
		eventType: "",
		amount: 0,
	}));

/** All that waits to be read. */
function readAll({ body }: LiveStream): string {
	let text = "";
	for (let piece = body.read(); piece !== null; piece = body.read()) text += piece;
	return text;
}

test("a reader who is too slow is told how much passed, and nothing piles up", () => {
	const stream = new LiveStream({ now: 0, checkAgain: holds, endsAt: null });
	const long = `/${"x".repeat(4000)}`;
	for (let second = 0; second < 100; second += 1) {
		stream.tell({ activeVisits: second }, { told: hits(20, long), skipped: 1 });
	}
	assert.ok(stream.body.readableLength < 100_000, String(stream.body.readableLength));
	readAll(stream);
	stream.tell({ activeVisits: 7 }, { told: hits(1, "/last"), skipped: 0 });
	const text = readAll(stream);
	assert.match(text, /^event: now\ndata: {"active_visits":7}\n\nevent: hits\ndata: \[.*"path":"\/last".*\]\n\n/);
	// Each of 99 seconds had twenty hits, and one that was not told anyway.
	assert.ok(text.endsWith(`event: skipped\ndata: {"count":${99 * 21}}\n\n`), text);
});

test("a reader who is far behind is not waited for at the end", () => {
	const stream = new LiveStream({ now: 0, checkAgain: holds, endsAt: null });
	stream.tell({ activeVisits: 1 }, { told: hits(20, `/${"x".repeat(4000)}`), skipped: 0 });
	stream.end("shutdown");
	assert.ok(stream.body.destroyed);
});

test("a check that fails, or is not answered for a minute, ends the stream", async () => {
	for (const [checkAgain, at] of [
		[() => Promise.reject(new Error("away")), MINUTE],
		[() => new Promise<never>(() => undefined), 2 * MINUTE],
	] as const) {
		const stream = new LiveStream({ now: 0, checkAgain, endsAt: null });
		stream.tick(MINUTE);
		stream.tick(at);
		await new Promise(setImmediate);
		assert.match(readAll(stream), /event: end\ndata: {"reason":"unavailable"}\n\n$/);
	}
});
