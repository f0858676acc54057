import assert from "node:assert/strict";
import { askedDays, comparedDays, listDays } from "./oracle-dates.ts";
import type { Fact } from "./oracle-facts.ts";
import { expectedAnswer } from "./oracle-reports.ts";
import { type Asked, addressOf } from "./oracle-request.ts";

/** A series by the hour has its limit in days. */
function isRefused({ granularity, compare, ...asked }: Asked, now: number): boolean {
	if (granularity !== "hourly") return false;
	const days = askedDays(asked, now);
	return [days, ...(compare ? [comparedDays(days, compare)] : [])].some((range) => listDays(range).length > 92);
}

interface Answer {
	readonly statusCode: number;
	readonly body: string;
	json(): Record<string, unknown>;
}

/** An answer is the oracle's, or refused where the oracle says so. */
export function assertAnswer(answer: Answer, facts: readonly Fact[], asked: Asked, now: number): void {
	const address = addressOf(asked);
	const refused = isRefused(asked, now);
	assert.equal(answer.statusCode, refused ? 400 : 200, `${address} ${answer.body}`);
	if (refused) return;
	const { success, timestamp, ...body } = answer.json();
	assert.equal(success === undefined, timestamp === undefined);
	assert.deepEqual(body, expectedAnswer(facts, asked, now), address);
}
