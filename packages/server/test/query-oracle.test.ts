import assert from "node:assert/strict";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { dataSets, importedSets, type OracleSite, visitSets, withRequests } from "./support/oracle-data.ts";
import { baselineStart } from "./support/oracle-dates.ts";
import type { Fact, Label } from "./support/oracle-facts.ts";
import { byBytes, figures, rounded } from "./support/oracle-figures.ts";
import { textOf } from "./support/oracle-filters.ts";
import { chosenFacts, earlierFacts, expectedQuery, testOf } from "./support/oracle-query.ts";
import { type AskedQuery, type Question, queriesTo } from "./support/oracle-query-ask.ts";
import { oracleTest } from "./support/oracle-runs.ts";

const here = reportsOn();

async function post(path: string, { site, written }: Omit<Question, "asked">, payload: object) {
	const query = new URLSearchParams({ site_id: site.id });
	if (written !== undefined) query.set("segment_filters", JSON.stringify(written));
	const response = await here.app.inject({ method: "POST", url: `/stats/${path}?${query}`, payload });
	assert.equal(response.statusCode, 200, response.body);
	return response;
}

/** Without what quotes hold, so that each line break ends a line. */
const unquoted = (csv: string) => csv.replace(/"(?:[^"]|"")*"/g, "");

for (const [what, sets] of Object.entries({ "wild facts": dataSets, visits: visitSets })) {
	const drawn = withRequests(sets, queriesTo);
	oracleTest(
		`every query equals the oracle's recomputation on ${what}`,
		15,
		drawn,
		async ({ sites, facts, requests }) => {
			await here.add(sites, facts);
			for (const question of requests) {
				const { asked } = question;
				const { body } = await post("query", question, asked);
				const answer = JSON.parse(body);
				assert.deepEqual({ ...answer }, expectedQuery(facts, question), JSON.stringify(question));
				const file = await post("query/export", question, asked);
				const lines = 1 + answer.data.length + (answer.comparison_data?.length ?? 0);
				assert.equal(unquoted(file.body).split("\r\n").length - 1, lines, JSON.stringify(asked));
			}
		},
	);
}

oracleTest(
	"pages of a query neither drop nor repeat a row, and groups add up to the total",
	5,
	withRequests(dataSets, queriesTo),
	async ({ sites, facts, requests }) => {
		await here.add(sites, facts);
		for (const { asked, site } of requests.slice(0, 3)) {
			const ofEvents = asked.dimensions?.includes("conversion_type");
			const metrics = ofEvents ? ["conversions", "microconversions"] : ["entrances", "page_views", "conversions"];
			const { compare, compare_align, compare_rows, compare_start, compare_end, ...plain } = asked;
			// These mean the same with and without groups.
			const filters = Object.entries(asked.filters ?? {}).filter(
				([name]) => !/^(path|content_grouping|conversion_type)/.test(name),
			);
			const all = { ...plain, metrics, filters: Object.fromEntries(filters), order_by: [] };
			const query = async (more: object) => (await post("query", { site }, { ...all, ...more })).json();
			const whole = await query({ limit: 10_000, offset: 0 });
			const pages: object[] = [];
			for (let offset = 0; offset < whole.meta.total_rows; offset += 7) {
				pages.push(...(await query({ limit: 7, offset })).data);
			}
			assert.deepEqual(pages, whole.data);
			const [total] = (await query({ dimensions: [], granularity: "total", limit: 1, offset: 0 })).data;
			for (const name of metrics) {
				const sum = whole.data.reduce((so: number, row: Record<string, number>) => so + (row[name] ?? 0), 0);
				assert.equal(sum, total[name]);
			}
		}
	},
);

const same = (...names: readonly Label[]) => names.map((name) => [name, name] as const);

const labels: Readonly<Record<string, Label>> = Object.fromEntries([
	...same("channel_group", "utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"),
	...same("referrer_domain", "landing_page", "country", "device_type", "browser", "os", "path", "conversion_type"),
	["content_grouping", "landing_content_grouping"] as const,
]);

const metrics = "entrances engaged_entrances page_views microconversions conversions revenue visitors".split(" ");

interface ChangeQuestion {
	readonly site: OracleSite;
	readonly asked: AskedQuery;
	readonly compare: NonNullable<AskedQuery["compare"]>;
	readonly metric: string;
	readonly dimensions: readonly string[];
}

const questionsTo = (sites: readonly OracleSite[]): fc.Arbitrary<ChangeQuestion> =>
	fc
		.record({
			query: queriesTo(sites),
			metric: fc.constantFrom(...metrics),
			dimensions: fc.shuffledSubarray(Object.keys(labels), { minLength: 1 }),
		})
		.map(({ query, ...own }) => ({ ...query, ...own, compare: query.asked.compare ?? "previous" }));

/** Ten-thousandths, so that all that is added, divided and rounded is whole. */
const steps = (value: number) => Math.round(value * 10_000);

/** The answer that an explanation must get, recomputed value by value. */
function expectedChange(facts: readonly Fact[], { site, asked, compare, metric, dimensions }: ChangeQuestion) {
	const passed = earlierFacts(facts, site.timezone, asked, compare);
	// An explanation is about visits, whatever it is split by.
	const test = testOf(facts, { ...asked, dimensions: [] });
	const now = chosenFacts(facts, site.id, test, [asked.date_from, asked.date_to]);
	const before = chosenFacts(passed.facts, site.id, test, passed.days);
	const figureIn = (some: readonly Fact[]) => steps(figures(some)[metric] ?? Number.NaN);
	const changeOf = (of: (fact: Fact) => boolean) => {
		const [one, other] = [figureIn(now.filter(of)), figureIn(before.filter(of))];
		return { now: one, before: other, change: one - other };
	};
	const shown = (row: ReturnType<typeof changeOf>) =>
		Object.fromEntries(Object.entries(row).map(([name, value]) => [name, value / 10_000]));
	const total = changeOf(() => true);
	const moved = (rows: readonly { readonly change: number }[]) =>
		rows.reduce((sum, { change }) => sum + Math.abs(change), 0);
	const dimension = (name: string, label: Label) => {
		const values = new Set([...now, ...before].map((fact) => textOf(fact, label)));
		const rows = [...values]
			.map((value) => ({ value, ...changeOf((fact) => textOf(fact, label) === value) }))
			.filter((row) => row.now !== 0 || row.before !== 0)
			.sort((one, other) => Math.abs(other.change) - Math.abs(one.change) || byBytes(one.value, other.value));
		const first = rows.slice(0, 10);
		return {
			name,
			explained: rounded(moved(first), moved(rows), 100),
			rows: first.map(({ value, ...row }) => ({ value, ...shown(row), share: rounded(row.change, total.change, 100) })),
		};
	};
	return {
		total: shown(total),
		dimensions: dimensions.flatMap((name) => {
			const label = labels[name];
			return label === undefined ? [] : [dimension(name, label)];
		}),
	};
}

for (const [what, sets] of Object.entries({
	"wild facts, imported ones among them": importedSets,
	visits: visitSets,
})) {
	const drawn = withRequests(sets, questionsTo);
	oracleTest(`what moved a metric equals a recomputation on ${what}`, 15, drawn, async ({ sites, facts, requests }) => {
		await here.add(sites, facts);
		for (const question of requests) {
			const { site, asked, compare, metric, dimensions } = question;
			const { date_from, date_to, filters, compare_start, compare_end, compare_align } = asked;
			const days = { date_from, date_to, compare, compare_start, compare_end, compare_align };
			const payload = { ...days, metric, dimensions, filters };
			const { data, meta } = (await post("explain", { site }, payload)).json();
			const { days: earlier } = earlierFacts(facts, site.timezone, asked, compare);
			const expected = [expectedChange(facts, question), baselineStart(facts, { site: site.id }, earlier)];
			assert.deepEqual([data, meta], expected, JSON.stringify(payload));
		}
	});
}
