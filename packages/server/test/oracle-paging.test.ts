import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { requestsTo } from "./support/oracle-ask.ts";
import { dataSets, type OracleSite } from "./support/oracle-data.ts";
import type { factToRow } from "./support/oracle-facts.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";
import { type ListName, listNames, type OracleShape, shapeOf } from "./support/oracle-shapes.ts";

const here = reportsOn();

const pageLists = listNames.filter((name) => shapeOf(name).form === "page");

type Row = Readonly<Record<string, unknown>>;

const ask = (asked: Asked) => here.get(addressOf(asked));

/** Rows of all pages, one after the other. */
async function walk(asked: Asked, pageSize: number): Promise<{ rows: Row[]; total: number }> {
	const rows: Row[] = [];
	for (let page = 1; ; page++) {
		const answer = await ask({ ...asked, page, pageSize });
		rows.push(...answer.data);
		if (!answer.has_next) return { rows, total: answer.total };
	}
}

const cases = dataSets.chain(({ sites, facts }) =>
	fc.record({
		facts: fc.constant(facts),
		sites: fc.constant(sites),
		report: fc.constantFrom(...pageLists),
		pageSize: fc.constantFrom(2, 3, 7),
		asked: requestsTo(sites).map((asked) => ({
			...asked,
			segment: undefined,
			written: undefined,
			compare: undefined,
			granularity: undefined,
			// Filters that the chosen report does not take would be ignored by it, and not by the other.
			parameters: Object.fromEntries(
				Object.entries(asked.parameters).filter(
					([name]) => !/^(content_grouping|landing_page|conversion_type)$/.test(name),
				),
			),
			// These mean something else on other reports.
			filters: asked.filters.filter(({ field }) => !["path", "content_grouping", "conversion_type"].includes(field)),
			pathFilter: undefined,
			search: undefined,
			limit: undefined,
		})),
	}),
);

async function prepare(sites: readonly OracleSite[], facts: Parameters<typeof factToRow>[0][]): Promise<void> {
	await here.add(sites, facts);
}

const as = (asked: Asked, report: ListName): Asked => {
	const { sorts } = shapeOf(report);
	return { ...asked, report, sortBy: sorts.find((field) => field === asked.sortBy) };
};

test("pages put together are the whole list: no row is dropped or repeated", oracleLimit(200_000), async () => {
	const property = fc.asyncProperty(cases, async ({ facts, sites, report, pageSize, asked }) => {
		await prepare(sites, [...facts]);
		const question = as(asked, report);
		const { rows, total } = await walk(question, pageSize);
		const whole = await ask({ ...question, page: 1, pageSize: 100 });
		// The data hold fewer groups than the largest page of any list; pages/include may hold more.
		assert.deepEqual(rows.slice(0, 100), whole.data, addressOf(question));
		assert.equal(rows.length, total);
		const keys = rows.map((row) => JSON.stringify(keyOf(row, shapeOf(report))));
		assert.equal(new Set(keys).size, rows.length);
	});
	await fc.assert(property, oracleRuns(10));
});

const labels = [
	"utm_source",
	"utm_medium",
	"utm_campaign",
	"utm_term",
	"utm_content",
	"device_type",
	"browser",
	"os",
	"channel_group",
];

function keyOf(row: Row, shape: OracleShape): unknown[] {
	return [...Object.keys(shape.key), ...labels].map((field) => row[field]);
}

const additive = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue"];

/** Exact for four decimals. */
const sumOf = (rows: readonly Row[], field: string) =>
	rows.reduce((sum, row) => sum + Math.round(Number(row[field]) * 10_000), 0) / 10_000;

test(
	"the rows of a grouped report add up to the ungrouped one, and so do its totals",
	oracleLimit(200_000),
	async () => {
		const grouped = pageLists.filter((name) => !["conversions", "microconversions"].includes(name));
		const property = fc.asyncProperty(cases, fc.constantFrom(...grouped), async ({ facts, sites, asked }, report) => {
			await prepare(sites, [...facts]);
			const question = { ...as(asked, report), includeTotals: true };
			const { rows } = await walk(question, 100);
			const { totals } = await ask({ ...question, page: 1, pageSize: 1 });
			const overview = await ask({ ...question, report: "overview", sortBy: undefined });
			const ungrouped: Readonly<Record<string, number>> = {
				...overview.data.traffic,
				...overview.data.conversions,
			};
			for (const field of Object.keys(shapeOf(report).columns)) {
				if (additive.includes(field))
					assert.equal(sumOf(rows, field), ungrouped[field], `${field} ${addressOf(question)}`);
				if (totals !== undefined && field in ungrouped) assert.equal(totals[field], ungrouped[field], field);
			}
		});
		await fc.assert(property, oracleRuns(10));
	},
);
