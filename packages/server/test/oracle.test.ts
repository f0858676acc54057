import { test } from "node:test";
import fc from "fast-check";
import { assertAnswer } from "./support/oracle-answer.ts";
import { reportsOn } from "./support/oracle-app.ts";
import { requestsTo } from "./support/oracle-ask.ts";
import { dataSets, NOW, type OracleSite, withRequests } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { hitSets } from "./support/oracle-hit-data.ts";
import { factsOfHits } from "./support/oracle-hits.ts";
import { importedSets } from "./support/oracle-imports.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

const here = reportsOn();

/** Stores the facts and asks; every answer must be the oracle's. */
async function check(sites: readonly OracleSite[], facts: readonly Fact[], requests: readonly Asked[]): Promise<void> {
	await here.add(sites, facts);
	for (const asked of requests) {
		if (asked.segment !== undefined) here.segments.set("chosen", asked.segment);
		const response = await here.app.inject({ url: addressOf(asked) });
		assertAnswer(response, facts, asked, NOW);
	}
}

test("every report equals the oracle's recomputation on wild facts", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(dataSets, requestsTo), ({ data, requests }) =>
		check(data.sites, data.facts, requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test("every report equals the oracle's recomputation on visits", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(withRequests(hitSets, requestsTo), ({ data, requests }) =>
		check(data.sites, factsOfHits(data.hits), requests),
	);
	await fc.assert(property, oracleRuns(15));
});

test(
	"every report counts imported sums as the oracle does, and leaves them out on demand",
	oracleLimit(200_000),
	async () => {
		const property = fc.asyncProperty(withRequests(importedSets, requestsTo), ({ data, requests }) =>
			check(data.sites, data.facts, requests),
		);
		await fc.assert(property, oracleRuns(15));
	},
);
