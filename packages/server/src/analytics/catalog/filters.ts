import type { Dimension, Property } from "./dimensions.ts";

interface OperatorDefinition {
	/** Engine type that its value is bound as. */
	readonly binds: "String" | "Array(String)";
	readonly sql: (column: string, value: string) => string;
}

/**
 * How a dimension is compared with a value. Case matters everywhere but in `is`, `is_not` and `search`. `regex` is RE2, an unanchored
 * search in which `.` matches line breaks; `like` takes a pattern of SQL.
 */
export const operators = {
	eq: { binds: "String", sql: (column, value) => `${column} = ${value}` },
	ne: { binds: "String", sql: (column, value) => `${column} != ${value}` },
	is: { binds: "String", sql: (column, value) => `lowerUTF8(${column}) = lowerUTF8(${value})` },
	is_not: { binds: "String", sql: (column, value) => `lowerUTF8(${column}) != lowerUTF8(${value})` },
	contains: { binds: "String", sql: (column, value) => `position(${column}, ${value}) > 0` },
	not_contains: { binds: "String", sql: (column, value) => `position(${column}, ${value}) = 0` },
	starts_with: { binds: "String", sql: (column, value) => `startsWith(${column}, ${value})` },
	ends_with: { binds: "String", sql: (column, value) => `endsWith(${column}, ${value})` },
	regex: { binds: "String", sql: (column, value) => `match(${column}, ${value})` },
	not_regex: { binds: "String", sql: (column, value) => `NOT match(${column}, ${value})` },
	in: { binds: "Array(String)", sql: (column, value) => `${column} IN ${value}` },
	not_in: { binds: "Array(String)", sql: (column, value) => `${column} NOT IN ${value}` },
	like: { binds: "String", sql: (column, value) => `${column} LIKE ${value}` },
	search: { binds: "String", sql: (column, value) => `positionCaseInsensitiveUTF8(${column}, ${value}) > 0` },
} as const satisfies Record<string, OperatorDefinition>;

/** Name of an operator. */
export type Operator = keyof typeof operators;

/** One comparison; only operators that take a list read more than the first value. */
export interface Filter {
	/** Events that lack a property pass negated operators alone. */
	readonly dimension: Dimension | Property;
	readonly operator: Operator;
	readonly values: readonly string[];
	/**
	 * The compared value: with `visit` any event of the row's visit, and every event with a negated operator; the row
	 * itself when absent.
	 */
	readonly of?: "visit";
}

/** The operators that hold where another one does not. */
export const negated: Readonly<Partial<Record<Operator, Operator>>> = {
	ne: "eq",
	is_not: "is",
	not_contains: "contains",
	not_regex: "regex",
	not_in: "in",
};

/** Leaves imported rows out. */
export const withoutImports = { imports: "exclude" } as const;

/** A filter, conditions combined, or the wish to leave imported rows out. */
export type Condition =
	| Filter
	| typeof withoutImports
	| { readonly all: readonly Condition[] }
	| { readonly any: readonly Condition[] }
	| { readonly not: Condition };

/** The single conditions that one is made of. */
export function leavesOf(condition: Condition): readonly (Filter | typeof withoutImports)[] {
	if ("all" in condition) return condition.all.flatMap(leavesOf);
	if ("any" in condition) return condition.any.flatMap(leavesOf);
	return "not" in condition ? leavesOf(condition.not) : [condition];
}

/** The `like` pattern that finds a text anywhere, `%`, `_` and `\` in it standing for themselves. */
export function likeAnywhere(text: string): string {
	return `%${text.replace(/[\\%_]/g, "\\$&")}%`;
}
