import { weekday } from "./oracle-dates.ts";
import type { Fact, Label } from "./oracle-facts.ts";
import type {
	AskedComparing,
	AskedField,
	AskedOperator,
	WrittenCondition,
	WrittenGroup,
	WrittenSegment,
} from "./oracle-request.ts";

/** How a question reads fields in which the hits of a visit differ. */
export interface OracleReading {
	readonly path: "path" | "landing_page";
	readonly events: "row" | "visit";
}

/** The types of the events of each visit. */
export type VisitEvents = ReadonlyMap<string, readonly string[]>;

const visitOf = ({ site, session }: Fact) => `${site} ${session}`;

/** The types of the events of each visit, among all facts that there are; sums that were imported are of none. */
export function visitEvents(facts: readonly Fact[]): VisitEvents {
	const events = facts.filter(
		({ kind, session }) => session !== "0" && (kind === "conversion" || kind === "microconversion"),
	);
	return new Map([...Map.groupBy(events, visitOf)].map(([key, own]) => [key, own.map((fact) => fact.event_type)]));
}

/** The text that a fact has under a label, or its hour or day of the week. */
export function textOf(fact: Fact, label: Label | "hour" | "day_of_week"): string {
	if (label === "hour") return String(fact.hour);
	if (label === "day_of_week") return String(weekday(fact.date));
	return label === "conversion_type" ? fact.event_type : fact.labels[label];
}

/** The label that a field means. */
export function labelOf(field: AskedField, { path }: OracleReading): Label | "hour" | "day_of_week" {
	if (field === "referrer") return "referrer_domain";
	if (field === "channel") return "channel_group";
	if (path === "path") return field;
	if (field === "path") return "landing_page";
	return field === "content_grouping" ? "landing_content_grouping" : field;
}

/** A value as it is stored. */
function canonical(label: string, value: string): string {
	if (label === "device_type") return value.toLowerCase();
	if (label === "country") return value.length === 2 ? value.toUpperCase() : "Unknown";
	return label === "hour" || label === "day_of_week" ? String(Number(value)) : value;
}

const opposites: Partial<Record<AskedOperator, AskedOperator>> = {
	ne: "eq",
	neq: "eq",
	is_not: "is",
	not_contains: "contains",
	not_regex: "regex",
	not_in: "in",
};

/** True for a text that compares so. */
function passes(text: string, { operator, values }: Omit<AskedComparing, "field">, label: string): boolean {
	const opposite = opposites[operator];
	if (opposite !== undefined) return !passes(text, { operator: opposite, values }, label);
	const [first = ""] = values;
	const whole = values.map((value) => canonical(label, value));
	switch (operator) {
		case "is":
			return whole.some((value) => value.toLowerCase() === text.toLowerCase());
		case "contains":
			return text.includes(first);
		case "starts_with":
			return text.startsWith(first);
		case "ends_with":
			return text.endsWith(first);
		case "regex":
			return new RegExp(first, "su").test(text);
		default:
			return whole.includes(text);
	}
}

/** True for a fact that a filter lets through. */
export function holds(fact: Fact, filter: AskedComparing, reading: OracleReading, visits: VisitEvents): boolean {
	const label = labelOf(filter.field, reading);
	if (label !== "conversion_type" || reading.events === "row") return passes(textOf(fact, label), filter, label);
	const opposite = opposites[filter.operator];
	const types = visits.get(visitOf(fact)) ?? [];
	const found = types.some((type) => passes(type, { ...filter, operator: opposite ?? filter.operator }, label));
	return found === (opposite === undefined);
}

/** The comparison of a segment's condition. */
export function comparingOf({ field, operator, value }: WrittenCondition): AskedComparing {
	const meanings = { eq: "is", neq: "is_not" } as const;
	const meant = operator === "eq" || operator === "neq" ? meanings[operator] : operator;
	return { field, operator: meant, values: [value].flat() };
}

/** True where the groups of a written segment let a fact through; empty groups say nothing. */
export function inWrittenGroups(
	fact: Fact,
	written: WrittenSegment | undefined,
	reading: OracleReading,
	visits: VisitEvents,
): boolean {
	if (written === undefined) return true;
	const inGroup = ({ conditions }: WrittenGroup) =>
		conditions.every((condition) => holds(fact, comparingOf(condition), reading, visits));
	const filled = (groups: readonly WrittenGroup[]) => groups.filter(({ conditions }) => conditions.length > 0);
	const groups = filled(written.groups);
	return (groups.length === 0 || groups.some(inGroup)) && !filled(written.not_groups).some(inGroup);
}
