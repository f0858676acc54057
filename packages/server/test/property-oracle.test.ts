import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { reportsOn } from "./support/oracle-app.ts";
import { dataSets } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { total } from "./support/oracle-figures.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";

const here = reportsOn();

const ask = (url: string) => here.get(url);

const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));

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

const campaign = ["utm_source", "utm_medium", "utm_campaign"];

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
		.sort((one, other) => other.total_count - one.total_count || bytes(one.key, other.key));
}

interface ValueRow extends Readonly<Record<string, string | number>> {
	readonly conversions_count: number;
	readonly microconversions_count: number;
	readonly revenue: number;
	readonly property_value: string;
}

function expectedValues(chosen: readonly Fact[], key: string, groups: readonly string[]): ValueRow[] {
	const carrying = chosen.filter(({ properties }) => Object.hasOwn(properties, key));
	const grouped = Map.groupBy(carrying, (fact) =>
		JSON.stringify({ property_value: fact.properties[key], ...labelsOf(fact, groups) }),
	);
	const texts = ["property_value", ...groups];
	return [...grouped]
		.map(([labels, facts]): ValueRow => ({ ...JSON.parse(labels), ...countsOf(facts) }))
		.filter((row) => row.conversions_count + row.microconversions_count > 0)
		.sort((one, other) => {
			const count = (row: ValueRow) => row.conversions_count + row.microconversions_count;
			const byText = texts.map((name) => bytes(String(one[name]), String(other[name]))).find((order) => order !== 0);
			return count(other) - count(one) || (byText ?? 0);
		});
}

const FIRST = "2024-12-01";
const LAST = "2026-11-22";
const days = `start_date=${FIRST}&end_date=${LAST}`;

const rowsTotal = (rows: readonly ValueRow[]) =>
	rows.reduce((sum, row) => sum + row.conversions_count + row.microconversions_count, 0);

/** Each source's total and its numbers by value. */
function expectedSources(chosen: readonly Fact[], key: string) {
	const source = (row: Readonly<Record<string, unknown>>) => JSON.stringify(campaign.map((name) => row[name]));
	const bySource = Map.groupBy(expectedValues(chosen, key, campaign), source);
	return Object.fromEntries(
		[...bySource].map(([name, rows]) => {
			const values = Object.fromEntries(rows.map((row) => [row.property_value, rowsTotal([row])]));
			return [name, { total: rowsTotal(rows), values }];
		}),
	);
}

type Question = typeof propertyQuestion extends fc.Arbitrary<infer Value> ? Value : never;

async function checkProperty(chosen: readonly Fact[], site: string, key: string, question: Question): Promise<void> {
	const { table, groupBy, pageSize } = question;
	const groups = groupBy === "all" ? campaign : [groupBy];
	const query = `site_id=${site}&${days}&table=${table}&property_key=${encodeURIComponent(key)}`;
	const values = await ask(`/stats/properties/values?${query}&group_by=${groupBy}&page_size=${pageSize}`);
	const expected = expectedValues(chosen, key, groups);
	assert.deepEqual([values.data, values.total], [expected.slice(0, pageSize), expected.length]);
	const { data } = await ask(`/stats/properties/breakdown?${query}`);
	assert.equal(data.total_events, rowsTotal(expectedValues(chosen, key, [])));
	const sources = data.data.map(({ total: sum, values: numbers, ...labels }: Record<string, unknown>) => [
		JSON.stringify(campaign.map((name) => labels[name])),
		{ total: sum, values: numbers },
	]);
	assert.deepEqual(Object.fromEntries(sources), expectedSources(chosen, key));
}

async function check(facts: readonly Fact[], site: string, question: Question): Promise<void> {
	const { table, keyIndex } = question;
	const wanted: readonly string[] = tableKinds[table];
	const chosen = facts.filter(
		(fact) => fact.site === site && fact.date >= FIRST && fact.date <= LAST && wanted.includes(fact.kind),
	);
	const keys = await ask(`/stats/properties/keys?site_id=${site}&${days}&table=${table}`);
	assert.deepEqual(keys.data, expectedKeys(chosen, table));
	// Only names that a query string brings unchanged: the server trims its texts.
	const names = chosen
		.flatMap(({ properties }) => Object.keys(properties))
		.filter((name) => name.trim() === name && name !== "");
	const key = names[keyIndex % Math.max(1, names.length)];
	if (key !== undefined) await checkProperty(chosen, site, key, question);
}

test("properties equal a recomputation over the facts", oracleLimit(120_000), async () => {
	const questions = fc.array(propertyQuestion, { minLength: 4, maxLength: 6 });
	const property = fc.asyncProperty(dataSets, questions, async ({ sites, facts: drawn }, asked) => {
		const facts = withQuantities(drawn);
		await here.add(sites, facts);
		for (const question of asked) await check(facts, sites[0]?.id ?? "", question);
	});
	await fc.assert(property, oracleRuns(15));
});
