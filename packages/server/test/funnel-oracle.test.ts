import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import type { EventRow } from "../src/analytics/model/event-row.ts";
import { pageviewRow } from "./support/event-rows.ts";
import { insertRows, reportsOn } from "./support/oracle-app.ts";
import { wholeReport } from "./support/oracle-ask.ts";
import { NOW, siteOf } from "./support/oracle-data.ts";
import type { Fact } from "./support/oracle-facts.ts";
import { total } from "./support/oracle-figures.ts";
import { importedSets } from "./support/oracle-imports.ts";
import { addressOf } from "./support/oracle-request.ts";
import { oracleLimit, oracleRuns } from "./support/oracle-runs.ts";
import { selected } from "./support/oracle-select.ts";

const here = reportsOn();

const kinds = ["pageview", "microconversion", "conversion"] as const;

interface Doing {
	readonly session: string;
	readonly at: number;
	readonly kind: (typeof kinds)[number];
	readonly name: string;
}

const doing: fc.Arbitrary<Doing> = fc
	.record({
		session: fc.constantFrom("1", "2", "18446744073709551615"),
		at: fc.integer({ min: 0, max: 12 }),
		kind: fc.constantFrom(...kinds),
		page: fc.constantFrom("/", "/a", "/a/b", "/b", "/a*"),
		type: fc.constantFrom("cart", "buy"),
	})
	.map(({ page, type, ...rest }) => ({ ...rest, name: rest.kind === "pageview" ? page : type }));

const doings = fc.uniqueArray(doing, {
	maxLength: 40,
	size: "max",
	selector: ({ session, at, kind }) => `${session} ${at} ${kind}`,
});
const stepLists = fc.array(fc.constantFrom("/", "/a", "/a*", "/*", "/a/*", "/b", "cart", "buy"), {
	minLength: 2,
	maxLength: 10,
});

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

test("a funnel counts the sessions in which its steps can be found in order", oracleLimit(120_000), async () => {
	const property = fc.asyncProperty(
		doings,
		fc.array(stepLists, { minLength: 5, maxLength: 8 }),
		async (done, asked) => {
			const site = siteOf("UTC");
			here.sites.set(site.id, site);
			await insertRows(
				here.store,
				done.map((one) => rowOf(site.id, one)),
			);
			const micros = new Set(done.filter(({ kind }) => kind === "microconversion").map(({ name }) => name));
			const ordered = done.toSorted((a, b) => a.at - b.at || kinds.indexOf(a.kind) - kinds.indexOf(b.kind));
			const sessions = [...Map.groupBy(ordered, ({ session }) => session).values()];
			for (const steps of asked) {
				const expected = steps.map(
					(_, index) => sessions.filter((own) => reaches(steps.slice(0, index + 1), own, micros)).length,
				);
				const url = `/stats/funnel?site_id=${site.id}`;
				const response = await here.app.inject({ method: "POST", url, payload: { steps } });
				assert.equal(response.statusCode, 200, response.body);
				assert.deepEqual(
					response.json().data.steps.map(({ count }: { count: number }) => count),
					expected,
					JSON.stringify(steps),
				);
			}
		},
	);
	await fc.assert(property, oracleRuns(15));
});

const campaign = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

/** A sum by type of event, of those types that have events of a kind. */
function byType(
	facts: readonly Fact[],
	counted: "conversions" | "microconversions",
	shown: "revenue" | typeof counted,
) {
	const types = [...Map.groupBy(facts, ({ event_type }) => event_type)].map(
		([type, own]) => [type, total(own)] as const,
	);
	const scale = shown === "revenue" ? 10_000 : 1;
	return Object.fromEntries(
		types.filter(([, sum]) => sum[counted] !== 0).map(([type, sum]) => [type, sum[shown] / scale]),
	);
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

const isEmpty = (sums: object) => Object.keys(sums).length === 0;

function expectedSources(facts: readonly Fact[]) {
	const groups = Map.groupBy(facts, ({ labels }) => JSON.stringify(campaign.map((name) => labels[name])));
	const rows = [...groups].map(([texts, own]) => ({ texts: JSON.parse(texts) as string[], ...sourceFigures(own) }));
	const order = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
	return rows
		.filter(
			(row) => row.entrances + row.page_views !== 0 || !isEmpty(row.microconversions) || !isEmpty(row.conversions),
		)
		.sort(
			(one, other) =>
				other.entrances - one.entrances ||
				(one.texts.map((text, at) => order(text, other.texts[at] ?? "")).find((found) => found !== 0) ?? 0),
		)
		.map(({ texts, ...sums }) => ({ ...Object.fromEntries(campaign.map((name, at) => [name, texts[at]])), ...sums }));
}

const narrowings = [
	{},
	{ imports: "exclude" as const },
	// No projection holds these: the five values are read as one.
	{ parameters: { country: ["ES"] } },
	{ parameters: { device_type: ["mobile", "desktop"] }, imports: "exclude" as const },
];

test(
	"the funnel by source equals a recomputation, whether campaigns are read as five values or as one",
	oracleLimit(120_000),
	async () => {
		const property = fc.asyncProperty(importedSets, async ({ sites, facts }) => {
			await here.add(sites, facts);
			for (const site of sites) {
				for (const narrowing of narrowings) {
					const asked = { ...wholeReport("sources", site, "2024-12-01"), ...narrowing };
					const url = addressOf(asked).replace("/stats/sources", "/stats/funnel");
					const chosen = selected(facts, asked, ["2024-12-01", "2026-11-22"]);
					const { rows, totals } = (await here.get(url)).data;
					assert.deepEqual([rows, totals], [expectedSources(chosen), sourceFigures(chosen)], url);
				}
			}
		});
		await fc.assert(property, oracleRuns(5));
	},
);
