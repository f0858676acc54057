import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../platform/lib/clock.ts";
import { type RouteAnswer, runBatch } from "./run-batch.ts";
import type { BatchQuery } from "./schemas.ts";

const query = (id: string, ...dependsOn: string[]): BatchQuery => ({
	id,
	endpoint: "/stats/overview",
	params: {},
	depends_on: dependsOn,
});
const options = { fail_fast: false, dry_run: false, parallel_limit: 2 };
const success: RouteAnswer = { status: "success", data: 1 };

/** Routes that answer when told to. */
function routes() {
	const asked: string[] = [];
	const answers = new Map<string, (answer: RouteAnswer) => void>();
	const ask = ({ id }: BatchQuery) => {
		asked.push(id);
		return new Promise<RouteAnswer>((resolve) => answers.set(id, resolve));
	};
	/** Answers, and lets the batch go on. */
	const answer = async (id: string, given: RouteAnswer = success) => {
		answers.get(id)?.(given);
		await new Promise((resolve) => setImmediate(resolve));
	};
	return { asked, ask, answer };
}

test("no more queries run at once than allowed, and each begins as soon as it may", async () => {
	const { asked, ask, answer } = routes();
	const signal = new AbortController().signal;
	const queries = [query("a"), query("b"), query("c"), query("d", "a"), query("e", "b", "d")];
	const batch = runBatch({ ask, signal, clock: systemClock }, queries, options);
	assert.deepEqual(asked, ["a", "b"]);
	await answer("b");
	assert.deepEqual(asked, ["a", "b", "c"]);
	await answer("c");
	assert.deepEqual(asked, ["a", "b", "c"]);
	await answer("a");
	assert.deepEqual(asked, ["a", "b", "c", "d"]);
	await answer("d");
	await answer("e");
	const { outcomes, wasParallel } = await batch;
	assert.equal(wasParallel, true);
	assert.deepEqual(
		[...outcomes.values()].map(({ status }) => status),
		["success", "success", "success", "success", "success"],
	);
});

test("when time is up the batch ends, and what did not finish is a timeout", async () => {
	const { asked, ask, answer } = routes();
	const timer = new AbortController();
	const queries = [query("a"), query("b"), query("c"), query("d", "a")];
	const batch = runBatch({ ask, signal: timer.signal, clock: systemClock }, queries, options);
	await answer("b");
	timer.abort();
	const { outcomes } = await batch;
	assert.deepEqual(asked, ["a", "b", "c"]);
	const told = (id: string) => {
		const outcome = outcomes.get(id);
		return outcome?.status === "error" ? outcome.error.code : outcome?.status;
	};
	assert.deepEqual(["a", "b", "c", "d"].map(told), [
		"gateway_timeout",
		"success",
		"gateway_timeout",
		"gateway_timeout",
	]);
	await answer("a");
	assert.equal(told("a"), "gateway_timeout");
});
