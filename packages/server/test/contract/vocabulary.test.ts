import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Dimension } from "../../src/analytics/catalog/dimensions.ts";
import { metricNames } from "../../src/analytics/catalog/metrics.ts";
import { rates } from "../../src/analytics/catalog/rates.ts";
import { type QueryDimension, queryDimensions } from "../../src/features/reporting/query/vocabulary.ts";
import { fieldDimensions } from "../../src/features/reporting/segments/vocabulary.ts";

/** Dimensions that the open query does not group by: a new one is named here, or in the query's vocabulary. */
const notInQuery = {
	path: "not in the contract",
	content_grouping: "not in the contract",
	landing_page: "not in the contract",
	landing_content_grouping: "not in the contract",
	referrer_domain: "not in the contract",
	conversion_type: "not in the contract",
} as const satisfies Record<Exclude<Dimension, QueryDimension>, string>;

type SegmentDimension = (typeof fieldDimensions)[keyof typeof fieldDimensions];

/** Dimensions that segments do not compare: a new one is named here, or in the vocabulary of segments. */
const notInSegments = {
	date: "a report has dates of its own",
	hour: "a report has dates of its own",
	day_of_week: "a report has dates of its own",
	landing_page: "what `path` means on reports about sessions",
	landing_content_grouping: "what `content_grouping` means on reports about sessions",
	conversion_type: "not in the contract",
} as const satisfies Record<Exclude<Dimension, SegmentDimension>, string>;

test("every dimension, metric and rate has its row in docs/metrics.md", () => {
	const text = readFileSync(new URL("../../../../docs/metrics.md", import.meta.url), "utf8");
	const table = text.split("\n").filter((line) => line.startsWith("| "));
	const dimensions = [...queryDimensions, ...Object.values(fieldDimensions), ...Object.keys(notInQuery)];
	const names = new Set([...dimensions, ...Object.keys(notInSegments), ...metricNames, ...Object.keys(rates)]);
	for (const name of names) {
		const isDescribed = table.some((line) => (line.split(" | ")[0] ?? "").includes(`\`${name}\``));
		assert.ok(isDescribed, `docs/metrics.md has no row for ${name}`);
	}
});
