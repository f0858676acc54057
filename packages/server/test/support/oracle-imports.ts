import fc from "fast-check";
import { UNKNOWN_HOUR } from "../../src/analytics/model/event-columns.ts";
import { type DataSet, dataSets, days, labels } from "./oracle-data.ts";
import type { Fact } from "./oracle-facts.ts";

const importParts = fc.record({
	siteIndex: fc.nat({ max: 2 }),
	date: fc.constantFrom(...days),
	id: fc.constantFrom("import-1", "import-2"),
	labels,
	event_type: fc.constantFrom("", "404"),
	visitors: fc.nat({ max: 100_000 }),
	counts: fc.record({
		entrances: fc.nat({ max: 100_000 }),
		engaged_entrances: fc.nat({ max: 100_000 }),
		page_views: fc.nat({ max: 1_000_000 }),
		microconversions: fc.constantFrom(0, 5, 70_000),
		conversions: fc.constantFrom(0, 1, 300),
		revenue: fc.integer({ min: -1_000_000, max: 1_000_000_000 }),
		visit_seconds: fc.nat({ max: 10_000_000 }),
	}),
});

type ImportPart = typeof importParts extends fc.Arbitrary<infer Part> ? Part : never;

const factOf = (site: string, { date, id, visitors, event_type, labels: own, counts }: ImportPart): Fact => ({
	site,
	at: Date.parse(`${date}T00:00:00Z`),
	date,
	hour: UNKNOWN_HOUR,
	session: "0",
	kind: "pageview",
	labels: own,
	clid: "",
	event_type,
	properties: {},
	rejoined: false,
	counts,
	imported: { id, visitors },
});

/** Random facts among which some are imported: sums of a day that know neither the hour nor visits. */
export const importedSets: fc.Arbitrary<DataSet> = fc
	.record({ own: dataSets, parts: fc.array(importParts, { minLength: 1, maxLength: 20 }) })
	.map(({ own: { sites, facts }, parts }) => ({
		sites,
		facts: [
			...facts,
			...parts.flatMap((part) => {
				const site = sites[part.siteIndex];
				return site === undefined ? [] : [factOf(site.id, part)];
			}),
		],
	}));
