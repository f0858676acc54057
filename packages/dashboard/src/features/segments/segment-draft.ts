import type { Answer } from "../../api/client.ts";
import { type Filter, formatFilter, parseFilter } from "../site/index.ts";

type Filters = Answer<"GET /segments/{id}">["filters"];
type Condition = Filters["conditions"][number];

/** A segment while it is edited, with conditions as in addresses. */
export interface SegmentDraft {
	/** All of them hold. */
	readonly all: readonly string[];
	/** In one of these groups all hold. */
	readonly any: readonly (readonly string[])[];
	/** In none of these all hold. */
	readonly none: readonly (readonly string[])[];
}

/** Colours that a segment may have, in their order; the words for them stand beside the screen. */
export const segmentColors = {
	blue: "#3b82f6",
	teal: "#14b8a6",
	green: "#22c55e",
	yellow: "#eab308",
	orange: "#f97316",
	red: "#ef4444",
	pink: "#ec4899",
	purple: "#8b5cf6",
} as const;

/** A segment that chooses everything. */
export const emptyDraft: SegmentDraft = { all: [], any: [], none: [] };

/** Fields that have two names in the API. */
const fieldOf = (field: Condition["field"]): Filter["field"] =>
	field === "referrer" ? "referrer_domain" : field === "channel" ? "channel_group" : field;

const filterOf = ({ field, operator, value }: Condition): string =>
	formatFilter({ field: fieldOf(field), operator: operator === "neq" ? "ne" : operator, values: [value].flat() });

function conditionsOf(texts: readonly string[]): Condition[] {
	return texts
		.map(parseFilter)
		.filter((filter) => filter !== undefined)
		.map(({ field, operator, values }) => ({
			field,
			operator: operator === "ne" ? "neq" : operator,
			value: operator === "in" || operator === "not_in" ? [...values] : (values[0] ?? ""),
		}));
}

/** A stored segment, to be edited. */
export const readFilters = ({ conditions, groups, not_groups: notGroups }: Filters): SegmentDraft => ({
	all: conditions.map(filterOf),
	any: groups.map((group) => group.conditions.map(filterOf)),
	none: notGroups.map((group) => group.conditions.map(filterOf)),
});

const groupsOf = (groups: SegmentDraft["any"]) =>
	groups.filter((group) => group.length > 0).map((group) => ({ conditions: conditionsOf(group) }));

/** Its counterpart; groups without conditions say nothing and are left out. */
export const writeFilters = ({ all, any, none }: SegmentDraft): Filters => ({
	conditions: conditionsOf(all),
	groups: groupsOf(any),
	not_groups: groupsOf(none),
});

/** True where it chooses everything. */
export const isEmpty = ({ all, any, none }: SegmentDraft): boolean =>
	[all, ...any, ...none].every((list) => list.length === 0);
