import type { Days } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import type { Asked, AskedFilter, AskedSegment } from "./oracle-request.ts";
import { type ListName, oracleShapes, shapeOf } from "./oracle-shapes.ts";

/** The text that a fact has under a label. */
export function textOf(fact: Fact, label: Label): string {
	return label === "conversion_type" ? fact.event_type : fact.labels[label];
}

/** True for a report of the table of lists. */
export function isList(report: Asked["report"]): report is ListName {
	return report in oracleShapes;
}

/** The landing side of a page, on reports about sessions. */
function sideOf(label: Label, asked: Asked): Label {
	if (isList(asked.report) && shapeOf(asked.report).path === "path") return label;
	if (label === "path") return "landing_page";
	return label === "content_grouping" ? "landing_content_grouping" : label;
}

const labelOf = (field: AskedFilter["field"], asked: Asked): Label =>
	field === "referrer" ? "referrer_domain" : sideOf(field, asked);

function canonical(label: Label, value: string): string {
	if (label === "device_type") return value.toLowerCase();
	if (label === "country") return value.length === 2 ? value.toUpperCase() : "Unknown";
	return value;
}

function passes(value: string, filter: Pick<AskedFilter, "operator" | "values">, label: Label): boolean {
	const [first = ""] = filter.values;
	const whole = filter.values.map((text) => canonical(label, text));
	switch (filter.operator) {
		case "eq":
		case "in":
			return whole.includes(value);
		case "ne":
		case "not_in":
			return !whole.includes(value);
		case "contains":
			return value.includes(first);
		case "not_contains":
			return !value.includes(first);
		case "regex":
			return new RegExp(first, "su").test(value);
		case "not_regex":
			return !new RegExp(first, "su").test(value);
	}
}

/** Filters of a request as labels with their test, those that rank higher first. */
function ranked(asked: Asked): [Label, (value: string) => boolean][][] {
	const advanced = asked.filters.map((filter): [Label, (value: string) => boolean] => {
		const label = labelOf(filter.field, asked);
		return [label, (value) => passes(value, filter, label)];
	});
	const parameters = Object.entries(asked.parameters).map(([name, values]): [Label, (value: string) => boolean] => {
		const label = sideOf(name as Label, asked);
		return [label, (value) => values.some((given) => canonical(label, given) === value)];
	});
	const part = asked.pathFilter;
	if (part !== undefined) parameters.push([sideOf("path", asked), (value) => value.includes(part)]);
	const segment = (asked.segment?.all ?? []).flatMap((entry): [Label, (value: string) => boolean][] => {
		if (!("dimension" in entry)) return [];
		const label = sideOf(entry.dimension, asked);
		return [[label, (value) => passes(value, entry, label)]];
	});
	return [advanced, parameters, segment];
}

/** What a segment combines in groups holds whatever else is asked. */
function inGroups(fact: Fact, segment: AskedSegment | undefined, asked: Asked): boolean {
	const holds = (filter: AskedSegment["all"][number]): boolean => {
		if ("any" in filter) return filter.any.some(holds);
		if ("not" in filter) return !holds(filter.not);
		const label = sideOf(filter.dimension, asked);
		return passes(textOf(fact, label), filter, label);
	};
	return (segment?.all ?? []).every((entry) => "dimension" in entry || holds(entry));
}

/** The facts that a request is about, in some days. */
export function selected(facts: readonly Fact[], asked: Asked, [first, last]: Days): Fact[] {
	const taken = new Set<Label>();
	const tests = ranked(asked).flatMap((rank) => {
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
			tests.every(([label, test]) => test(textOf(fact, label))) &&
			inGroups(fact, asked.segment, asked),
	);
}
