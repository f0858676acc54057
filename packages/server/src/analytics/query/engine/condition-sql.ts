import type { QueryParam } from "../../../platform/event-store/event-store.ts";
import { columnOf, dimensionOf, isProperty, type Property, propertyName } from "../../catalog/dimensions.ts";
import { type Condition, type Filter, leavesOf, negated, operators } from "../../catalog/filters.ts";
import type { StoredColumn } from "../../model/event-columns.ts";
import { nested, select } from "./select.ts";

/** Values bound to a statement, by the names of their placeholders. */
export type Params = Record<string, QueryParam>;

/** Scope of conditions: a place for bound values, and the source of a visit's events. */
export interface ConditionScope {
	readonly params: Params;
	/** Identity of a visit; its id alone where there is one site. */
	readonly visit: "session" | "(site, session)";
	/** The rows that visits may have events on. */
	readonly around: readonly string[];
}

/** The SQL of a condition; binds its values. */
export function conditionSql(condition: Condition, scope: ConditionScope): string {
	if ("all" in condition) return combined(condition.all, "AND", scope);
	if ("any" in condition) return combined(condition.any, "OR", scope);
	if ("not" in condition) return `NOT (${conditionSql(condition.not, scope)})`;
	if ("imports" in condition) return "import_id = ''";
	return condition.of === "visit" ? visitSql(condition, scope) : filterSql(condition, scope.params);
}

function filterSql(filter: Filter, params: Params): string {
	const { dimension, operator } = filter;
	if (isProperty(dimension)) return propertySql(dimension, filter, params);
	const { sql, isPath } = dimensionOf(dimension);
	const column = isPath && operator === "search" ? `decodeURLComponent(${sql})` : sql;
	return comparisonSql(column, filter, params);
}

function comparisonSql(column: string, { operator, values }: Omit<Filter, "dimension">, params: Params): string {
	const { binds, sql } = operators[operator];
	return sql(column, bound(binds === "Array(String)" ? values : (values[0] ?? ""), binds, params));
}

/** An event that lacks the property passes negated operators alone. */
function propertySql(property: Property, { operator, values }: Filter, params: Params): string {
	const opposite = negated[operator];
	const name = bound(propertyName(property), "String", params);
	const value = comparisonSql(`properties[${name}]`, { operator: opposite ?? operator, values }, params);
	return `${opposite === undefined ? "" : "NOT "}(mapContains(properties, ${name}) AND ${value})`;
}

/** The placeholder of a value that it binds. */
function bound(value: QueryParam, type: "String" | "Array(String)", params: Params): string {
	const name = `f${Object.keys(params).length}`;
	params[name] = value;
	return `{${name}:${type}}`;
}

/** True on the rows of visits that have an event that compares so; of a negated operator, of those that have none. */
function visitSql(filter: Filter, { params, visit, around }: ConditionScope): string {
	const opposite = negated[filter.operator];
	const found = select({
		columns: [visit],
		from: "events",
		where: [
			...around,
			// The lines of a purchase have the type of their event, and properties of their own.
			`kind IN ('conversion', 'microconversion'${isProperty(filter.dimension) ? ", 'item'" : ""})`,
			"session != 0",
			filterSql({ ...filter, operator: opposite ?? filter.operator }, params),
		],
	});
	// GLOBAL: where the table is spread over machines, each would ask all others.
	return `${visit} GLOBAL ${opposite === undefined ? "IN" : "NOT IN"} ${nested(found)}`;
}

function combined(conditions: readonly Condition[], word: "AND" | "OR", scope: ConditionScope): string {
	// An empty AND holds, an empty OR does not.
	if (conditions.length === 0) return word === "AND" ? "1" : "0";
	return `(${conditions.map((condition) => conditionSql(condition, scope)).join(` ${word} `)})`;
}

/** The columns that a condition looks at. */
export const columnsIn = (condition: Condition): StoredColumn[] =>
	leavesOf(condition).flatMap((leaf): StoredColumn[] => {
		if ("imports" in leaf) return ["import_id"];
		// No projection holds visits with their events.
		return [...(leaf.of === "visit" ? (["session"] as const) : []), columnOf(leaf.dimension)];
	});

/** True where the events of visits decide. */
export const looksAtVisits = (condition: Condition): boolean => leavesOf(condition).some((leaf) => "of" in leaf);
