import assert from "node:assert/strict";
import fc from "fast-check";
import { assertAnswer } from "./support/oracle-answer.ts";
import { reportsOn } from "./support/oracle-app.ts";
import { requestsTo } from "./support/oracle-ask.ts";
import { dataSets, importedSets, NOW, visitSets, withRequests } from "./support/oracle-data.ts";
import { type Asked, addressOf } from "./support/oracle-request.ts";
import { oracleTest } from "./support/oracle-runs.ts";
import { type ListName, listNames, shapeOf } from "./support/oracle-shapes.ts";

const here = reportsOn();

for (const [what, sets] of [
	["on wild facts", dataSets],
	["on visits", visitSets],
	["on imported sums too, or without them on demand", importedSets],
] as const) {
	const drawn = withRequests(sets, requestsTo);
	oracleTest(
		`every report equals the oracle's recomputation ${what}`,
		15,
		drawn,
		async ({ sites, facts, requests }) => {
			await here.add(sites, facts);
			for (const asked of requests) {
				if (asked.segment !== undefined) here.segments.set("chosen", asked.segment);
				assertAnswer(await here.app.inject({ url: addressOf(asked) }), facts, asked, NOW);
			}
		},
	);
}

type Row = Readonly<Record<string, unknown>>;

const pageLists = listNames.filter((name) => shapeOf(name).form === "page");
const summed = pageLists.filter((name) => !["conversions", "microconversions"].includes(name));

const ask = (asked: Asked) => here.get(addressOf(asked));

async function walk(asked: Asked, pageSize: number): Promise<{ rows: Row[]; total: number }> {
	const rows: Row[] = [];
	for (let page = 1; ; page++) {
		const answer = await ask({ ...asked, page, pageSize });
		rows.push(...answer.data);
		if (!answer.has_next) return { rows, total: answer.total };
	}
}

/** A question for one of some lists, which means the same on the list as on the overview. */
const questionsOn = (lists: readonly ListName[]) =>
	dataSets.chain(({ sites, facts }) =>
		fc.record({ asked: requestsTo(sites), report: fc.constantFrom(...lists) }).map(({ asked, report }) => {
			const { segment, written, compare, granularity, pathFilter, search, limit, sortBy, ...plain } = asked;
			// Filters that the chosen report does not take would be ignored by it, and not by the other.
			const parameters = Object.fromEntries(
				Object.entries(asked.parameters).filter(
					([name]) => !/^(content_grouping|landing_page|conversion_type)$/.test(name),
				),
			);
			// These mean something else on other reports.
			const filters = asked.filters.filter(
				({ field }) => !["path", "content_grouping", "conversion_type"].includes(field),
			);
			const sort = shapeOf(report).sorts.find((field) => field === sortBy);
			return { sites, facts, question: { ...plain, report, parameters, filters, sortBy: sort } };
		}),
	);

const pagings = fc.tuple(questionsOn(pageLists), fc.constantFrom(2, 3, 7));
oracleTest(
	"pages put together are the whole list: no row is dropped or repeated",
	10,
	pagings,
	async ([drawn, size]) => {
		const { sites, facts, question } = drawn;
		await here.add(sites, facts);
		const { rows, total } = await walk(question, size);
		const whole = await ask({ ...question, page: 1, pageSize: 100 });
		// The data hold fewer groups than the largest page of any list; pages/include may hold more.
		assert.deepEqual(rows.slice(0, 100), whole.data, addressOf(question));
		assert.equal(rows.length, total);
		const more = "utm_source utm_medium utm_campaign utm_term utm_content device_type browser os channel_group".split(
			" ",
		);
		const fields = [...Object.keys(shapeOf(question.report).key), ...more];
		assert.equal(new Set(rows.map((row) => JSON.stringify(fields.map((field) => row[field])))).size, rows.length);
	},
);

const additive = ["entrances", "engaged_entrances", "page_views", "microconversions", "conversions", "revenue"];

/** Exact for four decimals. */
const sumOf = (rows: readonly Row[], field: string) =>
	rows.reduce((sum, row) => sum + Math.round(Number(row[field]) * 10_000), 0) / 10_000;

oracleTest(
	"the rows of a grouped report add up to the ungrouped one, and so do its totals",
	10,
	questionsOn(summed),
	async ({ sites, facts, question: drawn }) => {
		const question = { ...drawn, includeTotals: true };
		await here.add(sites, facts);
		const { rows } = await walk(question, 100);
		const { totals } = await ask({ ...question, page: 1, pageSize: 1 });
		const { data } = await ask({ ...question, report: "overview", sortBy: undefined });
		const ungrouped: Readonly<Record<string, number>> = { ...data.traffic, ...data.conversions };
		for (const field of Object.keys(shapeOf(question.report).columns)) {
			if (additive.includes(field))
				assert.equal(sumOf(rows, field), ungrouped[field], `${field} ${addressOf(question)}`);
			if (totals !== undefined && field in ungrouped) assert.equal(totals[field], ungrouped[field], field);
		}
	},
);
