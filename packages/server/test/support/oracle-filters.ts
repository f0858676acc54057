import { type Days, weekday } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import {
	type Asked,
	type AskedComparing,
	type AskedField,
	type AskedSegment,
	isProperty,
	type PropertyField,
	type WrittenCondition,
	type WrittenSegment,
} from "./oracle-request.ts";
import { isList, shapeOf } from "./oracle-shapes.ts";

/** How a question reads fields in which the hits of a visit differ. */
export interface OracleReading {
	readonly path: "path" | "landing_page";
	readonly events: "row" | "visit";
}

export type FilterTest = (fact: Fact, filter: AskedComparing) => boolean;

type Compared = Label | "hour" | "day_of_week" | PropertyField;

const propertyOf = (fact: Fact, field: PropertyField): string | undefined =>
	new Map(Object.entries(fact.properties)).get(field.slice("property.".length));

/** The text that a fact has under a label, or its hour or day of the week. */
export function textOf(fact: Fact, label: Label | "hour" | "day_of_week"): string {
	if (label === "hour") return String(fact.hour);
	if (label === "day_of_week") return String(weekday(fact.date));
	return label === "conversion_type" ? fact.event_type : fact.labels[label];
}

export function labelOf(field: AskedField, { path }: OracleReading): Compared {
	if (field === "referrer") return "referrer_domain";
	if (field === "channel") return "channel_group";
	if (path === "path") return field;
	if (field === "path") return "landing_page";
	return field === "content_grouping" ? "landing_content_grouping" : field;
}

function canonical(label: string, value: string): string {
	if (label === "device_type") return value.toLowerCase();
	if (label === "country") return value.length === 2 ? value.toUpperCase() : "Unknown";
	return label === "hour" || label === "day_of_week" ? String(Number(value)) : value;
}

const opposites: Partial<Record<AskedComparing["operator"], AskedComparing["operator"]>> = {
	ne: "eq",
	neq: "eq",
	is_not: "is",
	not_contains: "contains",
	not_regex: "regex",
	not_in: "in",
};

function passes(text: string | undefined, { operator, values }: Omit<AskedComparing, "field">, label: string): boolean {
	const opposite = opposites[operator];
	if (opposite !== undefined) return !passes(text, { operator: opposite, values }, label);
	if (text === undefined) return false;
	const [first = ""] = values;
	const whole = values.map((value) => canonical(label, value));
	if (operator === "is") return whole.some((value) => value.toLowerCase() === text.toLowerCase());
	if (operator === "contains") return text.includes(first);
	if (operator === "starts_with") return text.startsWith(first);
	if (operator === "ends_with") return text.endsWith(first);
	if (operator === "regex") return new RegExp(first, "su").test(text);
	return whole.includes(text);
}

/** Tests facts; visits have the events that are among `all` facts, but for imported sums, which are of none. */
export function filterTest(all: readonly Fact[], reading: OracleReading): FilterTest {
	const visitOf = ({ site, session }: Fact) => `${site} ${session}`;
	const events = all.filter(({ kind, session }) => session !== "0" && /^(micro)?conversion$|^item$/.test(kind));
	const visits = Map.groupBy(events, visitOf);
	const comparedText = (fact: Fact, label: Compared) =>
		isProperty(label) ? propertyOf(fact, label) : textOf(fact, label);
	return (fact, filter) => {
		const label = labelOf(filter.field, reading);
		const isOfEvents = label === "conversion_type" || isProperty(label);
		if (!isOfEvents || reading.events === "row") return passes(comparedText(fact, label), filter, label);
		const opposite = opposites[filter.operator];
		const meant = { ...filter, operator: opposite ?? filter.operator };
		const found = (visits.get(visitOf(fact)) ?? []).some(
			// A line of a purchase has properties of its own, and the type of its event.
			(event) => (isProperty(label) || event.kind !== "item") && passes(comparedText(event, label), meant, label),
		);
		return found === (opposite === undefined);
	};
}

export function comparingOf({ field, operator, value }: WrittenCondition): AskedComparing {
	const meanings = { eq: "is", neq: "is_not" } as const;
	const meant = operator === "eq" || operator === "neq" ? meanings[operator] : operator;
	return { field, operator: meant, values: [value].flat() };
}

/** True where the groups of a written segment let a fact through; empty groups say nothing. */
export function inWrittenGroups(fact: Fact, written: WrittenSegment | undefined, test: FilterTest): boolean {
	const [groups = [], notGroups = []] = [written?.groups, written?.not_groups].map((given = []) =>
		given
			.filter(({ conditions }) => conditions.length > 0)
			.map(({ conditions }) => conditions.every((condition) => test(fact, comparingOf(condition)))),
	);
	return (groups.length === 0 || groups.includes(true)) && !notGroups.includes(true);
}

function ranked({ filters, parameters, pathFilter, written, segment }: Asked): readonly AskedComparing[][] {
	const own = Object.entries(parameters).map(
		([name, values]): AskedComparing => ({ field: name as AskedField, operator: "in", values }),
	);
	if (pathFilter !== undefined) own.push({ field: "path", operator: "contains", values: [pathFilter] });
	const saved = (segment?.all ?? []).flatMap((entry): AskedComparing[] =>
		"dimension" in entry ? [{ ...entry, field: entry.dimension }] : [],
	);
	return [[...filters], own, (written?.conditions ?? []).map(comparingOf), saved];
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

/** Reports of pages and of events read their own fields in their own way. */
function readingOf({ report }: Asked): OracleReading {
	const path = isList(report) ? shapeOf(report).path : "landing_page";
	const isOfEvents = isList(report) ? shapeOf(report).takes.includes("type") : /^types?$/.test(report);
	return { path, events: isOfEvents ? "row" : "visit" };
}

/** The facts that a request is about, in some days; visits have the events that are among `all` facts. */
export function selected(facts: readonly Fact[], asked: Asked, [first, last]: Days, all = facts): Fact[] {
	const reading = readingOf(asked);
	const test = filterTest(all, reading);
	const taken = new Set<string>();
	const filters = ranked(asked).flatMap((rank) => {
		const kept = rank.filter(({ field }) => !taken.has(labelOf(field, reading)));
		for (const { field } of kept) taken.add(labelOf(field, reading));
		return kept;
	});
	return facts.filter(
		(fact) =>
			fact.site === asked.site &&
			fact.date >= first &&
			fact.date <= last &&
			(asked.imports !== "exclude" || fact.imported === undefined) &&
			filters.every((filter) => test(fact, filter)) &&
			inGroups(asked.segment, (filter) => test(fact, filter)) &&
			inWrittenGroups(fact, asked.written, test),
	);
}
