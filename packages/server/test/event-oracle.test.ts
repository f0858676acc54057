import assert from "node:assert/strict";
import fc from "fast-check";
import type { EventRow } from "../src/analytics/model/event-row.ts";
import { pageviewRow } from "./support/event-rows.ts";
import { insertRows, reportsOn } from "./support/oracle-app.ts";
import { wholeReport } from "./support/oracle-ask.ts";
import { dataSets, importedSets, NOW, siteOf, type ValueOf } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { byBytes, byTexts, groupedBy, named, total } from "./support/oracle-figures.ts";
import { selected } from "./support/oracle-filters.ts";
import { addressOf } from "./support/oracle-request.ts";
import { oracleTest } from "./support/oracle-runs.ts";

const here = reportsOn();

const FIRST = "2024-12-01";
const LAST = "2026-11-22";
const days = `start_date=${FIRST}&end_date=${LAST}`;

const kinds = ["pageview", "microconversion", "conversion"] as const;

const doing = fc
	.record({
		session: fc.constantFrom("1", "2", "18446744073709551615"),
		at: fc.integer({ min: 0, max: 12 }),
		kind: fc.constantFrom(...kinds),
		page: fc.constantFrom("/", "/a", "/a/b", "/b", "/a*"),
		type: fc.constantFrom("cart", "buy"),
	})
	.map(({ page, type, ...rest }) => ({ ...rest, name: rest.kind === "pageview" ? page : type }));

type Doing = ValueOf<typeof doing>;

const selector = ({ session, at, kind }: Doing) => `${session} ${at} ${kind}`;
const doings = fc.uniqueArray(doing, { maxLength: 40, size: "max", selector });
const steps = fc.constantFrom("/", "/a", "/a*", "/*", "/a/*", "/b", "cart", "buy");
const stepLists = fc.array(steps, { minLength: 2, maxLength: 10 });

const fits = (step: string, done: Doing, micros: ReadonlySet<string>): boolean => {
	if (!step.startsWith("/")) return done.name === step && done.kind === (micros.has(step) ? kinds[1] : kinds[2]);
	if (done.kind !== "pageview") return false;
	return step.endsWith("*") ? done.name.startsWith(step.slice(0, -1)) : done.name === step;
};

/** Looks for the steps in every possible way, so it shares nothing with the engine's single pass. */
function reaches(steps: readonly string[], done: readonly Doing[], micros: ReadonlySet<string>): boolean {
	const [step, ...rest] = steps;
	if (step === undefined) return true;
	return done.some((one, index) => fits(step, one, micros) && reaches(rest, done.slice(index + 1), micros));
}

const rowOf = (site: string, { session, at, kind, name }: Doing): EventRow =>
	pageviewRow({
		site,
		ts: NOW + at,
		session,
		kind,
		page_view: kind === "pageview" ? 1 : 0,
		...(kind === "pageview" ? { path: name } : { event_type: name, [kind]: 1 }),
	});

const funnels = fc.tuple(doings, fc.array(stepLists, { minLength: 5, maxLength: 8 }));
const inOrder = "a funnel counts the sessions in which its steps can be found in order";
oracleTest(inOrder, 15, funnels, async ([done, asked]) => {
	const site = siteOf("UTC");
	await here.add([site], []);
	const rows = done.map((one) => rowOf(site.id, one));
	await insertRows(here.store, rows);
	const micros = new Set(done.filter(({ kind }) => kind === "microconversion").map(({ name }) => name));
	const ordered = done.toSorted((a, b) => a.at - b.at || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
	const sessions = [...Map.groupBy(ordered, ({ session }) => session).values()];
	for (const funnel of asked) {
		const upTo = (last: number) => sessions.filter((own) => reaches(funnel.slice(0, last + 1), own, micros)).length;
		const url = `/stats/funnel?site_id=${site.id}`;
		const response = await here.app.inject({ method: "POST", url, payload: { steps: funnel } });
		assert.equal(response.statusCode, 200, response.body);
		const counted = response.json().data.steps.map(({ count }: { count: number }) => count);
		assert.deepEqual(counted, [...funnel.keys()].map(upTo), JSON.stringify(funnel));
	}
});

const campaign = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

function byType(
	facts: readonly Fact[],
	counted: "conversions" | "microconversions",
	shown: "revenue" | typeof counted,
) {
	const types = groupedBy(facts, ["conversion_type"]).map(({ texts: [type = ""], facts: own }) => ({
		type,
		sum: total(own),
	}));
	const scale = shown === "revenue" ? 10_000 : 1;
	const counting = types.filter(({ sum }) => sum[counted] !== 0);
	return Object.fromEntries(counting.map(({ type, sum }) => [type, sum[shown] / scale]));
}

function sourceFigures(facts: readonly Fact[]) {
	const { entrances, page_views } = total(facts);
	return {
		entrances,
		page_views,
		microconversions: byType(facts, "microconversions", "microconversions"),
		conversions: byType(facts, "conversions", "conversions"),
		revenue: byType(facts, "conversions", "revenue"),
	};
}

function expectedSources(facts: readonly Fact[]) {
	return groupedBy(facts, campaign)
		.map(({ texts, facts: own }) => ({ texts, ...sourceFigures(own) }))
		.filter(({ entrances, page_views, microconversions, conversions }) => {
			const types = { ...microconversions, ...conversions };
			return entrances + page_views !== 0 || Object.keys(types).length > 0;
		})
		.sort((one, other) => other.entrances - one.entrances || byTexts(one.texts, other.texts))
		.map(({ texts, ...sums }) => ({ ...named(campaign, texts), ...sums }));
}

const narrowings = [
	{},
	{ imports: "exclude" as const },
	// No projection holds these: the five values are read as one.
	{ parameters: { country: ["ES"] } },
	{ parameters: { device_type: ["mobile", "desktop"] }, imports: "exclude" as const },
];

const bySource = "the funnel by source equals a recomputation, whether campaigns are read as five values or as one";
oracleTest(bySource, 5, importedSets, async ({ sites, facts }) => {
	await here.add(sites, facts);
	for (const site of sites) {
		for (const narrowing of narrowings) {
			const asked = { ...wholeReport("sources", site, FIRST), ...narrowing };
			const url = addressOf(asked).replace("/stats/sources", "/stats/funnel");
			const chosen = selected(facts, asked, [FIRST, LAST]);
			const { rows, totals } = (await here.get(url)).data;
			assert.deepEqual([rows, totals], [expectedSources(chosen), sourceFigures(chosen)], url);
		}
	}
});

const quantities = ["2", "1000000", "x", "0", "-1", "1.5", "007"];

/** Items get a quantity now and then. */
const withQuantities = (facts: readonly Fact[]) =>
	facts.map((fact, index): Fact => {
		const quantity = quantities[index % 9];
		if (fact.kind !== "item" || quantity === undefined) return fact;
		return { ...fact, properties: { ...fact.properties, quantity } };
	});

const tableKinds = {
	both: ["conversion", "microconversion"],
	conversions: ["conversion"],
	microconversions: ["microconversion"],
	conversion_items: ["item"],
} as const;
type Table = keyof typeof tableKinds;

function pieces(fact: Fact): number {
	const { quantity = "" } = fact.properties;
	return /^\d{1,6}$/.test(quantity) ? Number(quantity) : 1;
}

function countsOf(facts: readonly Fact[]) {
	const items = facts.filter(({ kind }) => kind === "item");
	const { conversions, microconversions, revenue } = total(facts);
	return {
		conversions_count: conversions + items.reduce((sum, fact) => sum + pieces(fact), 0),
		microconversions_count: microconversions,
		revenue: revenue / 10_000,
	};
}

const propertyQuestion = fc.record({
	table: fc.constantFrom(...(Object.keys(tableKinds) as Table[])),
	groupBy: fc.constantFrom("utm_source", "utm_medium", "utm_campaign", "all"),
	pageSize: fc.constantFrom(1, 3, 50),
	keyIndex: fc.nat(),
});

const labelsOf = (fact: Fact, groups: readonly string[]) =>
	Object.fromEntries(groups.map((name) => [name, fact.labels[name as keyof Fact["labels"]]]));

const sourceLabels = ["utm_source", "utm_medium", "utm_campaign"];

function expectedKeys(chosen: readonly Fact[], table: Table) {
	const keys = [...new Set(chosen.flatMap(({ properties }) => Object.keys(properties)))];
	return keys
		.filter((key) => table !== "conversion_items" || key !== "quantity")
		.map((key) => {
			const { revenue, ...numbers } = countsOf(chosen.filter(({ properties }) => Object.hasOwn(properties, key)));
			const total_count = numbers.conversions_count + numbers.microconversions_count;
			return { key, ...numbers, total_count };
		})
		.filter(({ total_count }) => total_count > 0)
		.sort((one, other) => other.total_count - one.total_count || byBytes(one.key, other.key));
}

type ValueRow = ReturnType<typeof countsOf> &
	Readonly<Record<"property_value", string> & Record<string, string | number>>;

function expectedValues(chosen: readonly Fact[], key: string, groups: readonly string[]): ValueRow[] {
	const carrying = chosen.filter(({ properties }) => Object.hasOwn(properties, key));
	const grouped = Map.groupBy(carrying, (fact) =>
		JSON.stringify({ property_value: fact.properties[key], ...labelsOf(fact, groups) }),
	);
	const textsOf = (row: ValueRow) => ["property_value", ...groups].map((name) => String(row[name]));
	return [...grouped]
		.map(([labels, facts]): ValueRow => ({ ...JSON.parse(labels), ...countsOf(facts) }))
		.filter((row) => rowsTotal([row]) > 0)
		.sort((one, other) => rowsTotal([other]) - rowsTotal([one]) || byTexts(textsOf(one), textsOf(other)));
}

const rowsTotal = (rows: readonly ValueRow[]) =>
	rows.reduce((sum, row) => sum + row.conversions_count + row.microconversions_count, 0);

function expectedBreakdown(chosen: readonly Fact[], key: string) {
	const source = (row: Readonly<Record<string, unknown>>) => JSON.stringify(sourceLabels.map((name) => row[name]));
	const grouped = Map.groupBy(expectedValues(chosen, key, sourceLabels), source);
	return Object.fromEntries(
		[...grouped].map(([name, rows]) => {
			const values = Object.fromEntries(rows.map((row) => [row.property_value, rowsTotal([row])]));
			return [name, { total: rowsTotal(rows), values }];
		}),
	);
}

type Question = ValueOf<typeof propertyQuestion>;

async function checkProperty(chosen: readonly Fact[], site: string, key: string, question: Question): Promise<void> {
	const { table, groupBy, pageSize } = question;
	const groups = groupBy === "all" ? sourceLabels : [groupBy];
	const query = `site_id=${site}&${days}&table=${table}&property_key=${encodeURIComponent(key)}`;
	const values = await here.get(`/stats/properties/values?${query}&group_by=${groupBy}&page_size=${pageSize}`);
	const expected = expectedValues(chosen, key, groups);
	assert.deepEqual([values.data, values.total], [expected.slice(0, pageSize), expected.length]);
	const { data } = await here.get(`/stats/properties/breakdown?${query}`);
	assert.equal(data.total_events, rowsTotal(expectedValues(chosen, key, [])));
	const sources = data.data.map(({ total: sum, values: numbers, ...labels }: Record<string, unknown>) => [
		JSON.stringify(sourceLabels.map((name) => labels[name])),
		{ total: sum, values: numbers },
	]);
	assert.deepEqual(Object.fromEntries(sources), expectedBreakdown(chosen, key));
}

async function check(facts: readonly Fact[], site: string, question: Question): Promise<void> {
	const { table, keyIndex } = question;
	const wanted: readonly string[] = tableKinds[table];
	const chosen = facts.filter(
		(fact) => fact.site === site && fact.date >= FIRST && fact.date <= LAST && wanted.includes(fact.kind),
	);
	const keys = await here.get(`/stats/properties/keys?site_id=${site}&${days}&table=${table}`);
	assert.deepEqual(keys.data, expectedKeys(chosen, table));
	// Only names that a query string brings unchanged: the server trims its texts.
	const names = chosen
		.flatMap(({ properties }) => Object.keys(properties))
		.filter((name) => name.trim() === name && name !== "");
	const key = names[keyIndex % Math.max(1, names.length)];
	if (key !== undefined) await checkProperty(chosen, site, key, question);
}

const ofProperties = fc.tuple(dataSets, fc.array(propertyQuestion, { minLength: 4, maxLength: 6 }));
oracleTest("properties equal a recomputation over the facts", 15, ofProperties, async ([data, asked]) => {
	const facts = withQuantities(data.facts);
	await here.add(data.sites, facts);
	for (const question of asked) await check(facts, data.sites[0]?.id ?? "", question);
});
