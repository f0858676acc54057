/** The parts of a SELECT. */
export interface Select {
	/** Expressions that columns and conditions use by their names. */
	readonly with?: readonly string[];
	readonly columns: readonly string[];
	/** A table, or a statement by `nested`. */
	readonly from: string;
	/** All of them hold. */
	readonly where?: readonly string[];
	/** One group of everything when empty or absent. */
	readonly groupBy?: readonly string[];
	readonly having?: string;
	readonly orderBy?: readonly string[];
	readonly limit?: string;
}

/** The text of a statement, a clause on each line. */
export function select(parts: Select): string {
	const clauses = [
		["WITH", parts.with?.join(",\n\t")],
		["SELECT", parts.columns.join(",\n\t")],
		["FROM", parts.from],
		["WHERE", parts.where?.join("\n\tAND ")],
		["GROUP BY", parts.groupBy?.join(", ")],
		["HAVING", parts.having],
		["ORDER BY", parts.orderBy?.join(", ")],
		["LIMIT", parts.limit],
	] as const;
	return clauses.flatMap(([word, text]) => (text ? [`${word} ${text}`] : [])).join("\n");
}

/** A statement in the place of a table, whose columns may be named after it. */
export const nested = (sql: string, name?: string): string => `(\n${sql}\n)${name === undefined ? "" : ` AS ${name}`}`;
