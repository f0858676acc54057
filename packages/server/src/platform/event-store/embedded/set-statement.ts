const NAME = /^[a-z_][a-z0-9_]{0,127}$/i;

/** A string literal of the engine's SQL. */
export function stringLiteral(value: string): string {
	return `'${value.replaceAll("\\", "\\\\").replaceAll("'", "\\'")}'`;
}

/** `SET a='1', param_x='…'` for one query, whose values the client has formatted; empty without any. Throws on a name that is no identifier. */
export function setStatement(assignments: ReadonlyMap<string, string>): string {
	if (assignments.size === 0) return "";
	const parts: string[] = [];
	for (const [name, value] of assignments) {
		if (!NAME.test(name)) throw new Error("Not the name of a setting or parameter");
		parts.push(`${name}=${stringLiteral(value)}`);
	}
	return `SET ${parts.join(", ")}`;
}
