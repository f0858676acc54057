import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import type { Dimension } from "../../src/analytics/catalog/dimensions.ts";
import { metricNames } from "../../src/analytics/catalog/metrics.ts";
import { rates } from "../../src/analytics/catalog/rates.ts";
import { fieldDimensions } from "../../src/analytics/query/question/filter-vocabulary.ts";
import { type QueryDimension, queryDimensions } from "../../src/features/reporting/query/vocabulary.ts";

/** Dimensions that the open query does not group by: a new one is named here, or in the query's vocabulary. */
const notInQuery = {
	landing_content_grouping: "what `content_grouping` means where landing pages are asked for",
} as const satisfies Record<Exclude<Dimension, QueryDimension>, string>;

type FilterDimension = (typeof fieldDimensions)[keyof typeof fieldDimensions];

/** Dimensions that filters and segments do not compare: a new one is named here, or in the vocabulary of filters. */
const notInFilters = {
	date: "a report has dates of its own",
	landing_content_grouping: "what `content_grouping` means on reports about visits",
} as const satisfies Record<Exclude<Dimension, FilterDimension>, string>;

test("every dimension, metric and rate has its row in docs/metrics.md", () => {
	const text = readFileSync(new URL("../../../../docs/metrics.md", import.meta.url), "utf8");
	const table = text.split("\n").filter((line) => line.startsWith("| "));
	const dimensions = [...queryDimensions, ...Object.values(fieldDimensions), ...Object.keys(notInQuery)];
	const names = new Set([...dimensions, ...Object.keys(notInFilters), ...metricNames, ...Object.keys(rates)]);
	for (const name of names) {
		const isDescribed = table.some((line) => (line.split(" | ")[0] ?? "").includes(`\`${name}\``));
		assert.ok(isDescribed, `docs/metrics.md has no row for ${name}`);
	}
});
