import type { Days } from "./oracle-dates.ts";
import type { Fact } from "./oracle-facts.ts";
import { comparingOf, holds, inWrittenGroups, labelOf, type OracleReading, visitEvents } from "./oracle-filters.ts";
import type { Asked, AskedComparing, AskedField, AskedSegment } from "./oracle-request.ts";
import { type ListName, oracleShapes, shapeOf } from "./oracle-shapes.ts";

/** True for a report of the table of lists. */
export function isList(report: Asked["report"]): report is ListName {
	return report in oracleShapes;
}

/** Reports of pages and of events read their own fields in their own way. */
function readingOf({ report }: Asked): OracleReading {
	if (!isList(report)) {
		return { path: "landing_page", events: report === "type" || report === "types" ? "row" : "visit" };
	}
	const { path, takes } = shapeOf(report);
	return { path, events: takes.includes("type") ? "row" : "visit" };
}

type Ranked = readonly [label: string, test: (fact: Fact) => boolean];

/** Filters of a request as labels with their test, those that rank higher first. */
function ranked(
	asked: Asked,
	reading: OracleReading,
	test: (fact: Fact, filter: AskedComparing) => boolean,
): Ranked[][] {
	const of = (filters: readonly AskedComparing[]) =>
		filters.map((filter): Ranked => [labelOf(filter.field, reading), (fact) => test(fact, filter)]);
	const parameters = Object.entries(asked.parameters).map(
		([name, values]): AskedComparing => ({ field: name as AskedField, operator: "in", values }),
	);
	const part = asked.pathFilter;
	if (part !== undefined) parameters.push({ field: "path", operator: "contains", values: [part] });
	const written = (asked.written?.conditions ?? []).map(comparingOf);
	const saved = (asked.segment?.all ?? []).flatMap((entry): AskedComparing[] =>
		"dimension" in entry ? [{ ...entry, field: entry.dimension }] : [],
	);
	return [of(asked.filters), of(parameters), of(written), of(saved)];
}

/** The groups of a segment always apply. */
function inGroups(segment: AskedSegment | undefined, test: (filter: AskedComparing) => boolean): boolean {
	const isSo = (filter: AskedSegment["all"][number]): boolean => {
		if ("any" in filter) return filter.any.some(isSo);
		if ("not" in filter) return !isSo(filter.not);
		return test({ ...filter, field: filter.dimension });
	};
	return (segment?.all ?? []).every((entry) => "dimension" in entry || isSo(entry));
}

/** The facts that a request is about, in some days; visits have the events that are among `all` facts. */
export function selected(facts: readonly Fact[], asked: Asked, [first, last]: Days, all = facts): Fact[] {
	const reading = readingOf(asked);
	const visits = visitEvents(all);
	const test = (fact: Fact, filter: AskedComparing) => holds(fact, filter, reading, visits);
	const taken = new Set<string>();
	const tests = ranked(asked, reading, test).flatMap((rank) => {
		const kept = rank.filter(([label]) => !taken.has(label));
		for (const [label] of kept) taken.add(label);
		return kept;
	});
	return facts.filter(
		(fact) =>
			fact.site === asked.site &&
			fact.date >= first &&
			fact.date <= last &&
			(asked.imports !== "exclude" || fact.imported === undefined) &&
			tests.every(([, isSo]) => isSo(fact)) &&
			inGroups(asked.segment, (filter) => test(fact, filter)) &&
			inWrittenGroups(fact, asked.written, reading, visits),
	);
}
