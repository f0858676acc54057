import assert from "node:assert/strict";
import { test } from "node:test";
import { systemClock } from "../../../platform/lib/clock.ts";
import { type RouteAnswer, runBatch } from "./run-batch.ts";
import type { BatchQuery } from "./schemas.ts";

const query = (id: string, ...depends_on: string[]): BatchQuery => ({
	id,
	endpoint: "/stats/overview",
	params: {},
	depends_on,
});
const options = { fail_fast: false, dry_run: false, parallel_limit: 2 };

/** A batch whose routes answer when told to. */
function begin(queries: readonly BatchQuery[]) {
	const asked: string[] = [];
	const answers = new Map<string, (answer: RouteAnswer) => void>();
	const ask = ({ id }: BatchQuery) => {
		asked.push(id);
		return new Promise<RouteAnswer>((resolve) => answers.set(id, resolve));
	};
	const timer = new AbortController();
	const batch = runBatch({ ask, signal: timer.signal, clock: systemClock }, queries, options);
	/** Answers, and lets the batch go on. */
	const answer = async (id: string) => {
		answers.get(id)?.({ status: "success", data: 1 });
		await new Promise((resolve) => setImmediate(resolve));
		return asked.join(" ");
	};
	return { asked, answer, batch, end: () => timer.abort() };
}

test("no more queries run at once than allowed, and each begins as soon as it may", async () => {
	const { asked, answer, batch } = begin([query("a"), query("b"), query("c"), query("d", "a"), query("e", "b", "d")]);
	assert.deepEqual(asked, ["a", "b"]);
	assert.equal(await answer("b"), "a b c");
	assert.equal(await answer("c"), "a b c");
	assert.equal(await answer("a"), "a b c d");
	assert.equal(await answer("d"), "a b c d e");
	await answer("e");
	const { outcomes, wasParallel } = await batch;
	assert.equal(wasParallel, true);
	assert.ok([...outcomes.values()].every(({ status }) => status === "success"));
});

test("when time is up the batch ends, and what did not finish is a timeout", async () => {
	const { asked, answer, batch, end } = begin([query("a"), query("b"), query("c"), query("d", "a")]);
	await answer("b");
	end();
	const { outcomes } = await batch;
	assert.deepEqual(asked, ["a", "b", "c"]);
	const told = () =>
		["a", "b", "c", "d"].map((id) => {
			const outcome = outcomes.get(id);
			return outcome?.status === "error" ? outcome.error.code : outcome?.status;
		});
	const late = "gateway_timeout";
	assert.deepEqual(told(), [late, "success", late, late]);
	await answer("a");
	assert.deepEqual(told(), [late, "success", late, late]);
});
