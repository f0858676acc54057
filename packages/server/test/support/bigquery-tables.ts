export interface StoredTable {
	readonly resource: Readonly<Record<string, unknown>>;
	readonly fields: readonly Field[];
	rows: Record<string, unknown>[];
}

interface Field {
	readonly name: string;
	readonly type: string;
	readonly mode: string;
}

/** Valid values of each type in a loaded file. */
const fits: Readonly<Record<string, (value: unknown) => boolean>> = {
	STRING: (value) => typeof value === "string",
	INT64: (value) => Number.isSafeInteger(value),
	NUMERIC: (value) => typeof value === "string" && /^-?\d{1,29}(\.\d{1,9})?$/.test(value),
	DATE: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}$/.test(value),
	TIMESTAMP: (value) => typeof value === "string" && /^\d{4}-\d{2}-\d{2}T[\d:.]+Z$/.test(value),
	JSON: (value) => typeof value === "object" && value !== null,
};

/** Turns the lines of a file into rows of the table; errors are returned like those of a job. */
export function loadLines(table: StoredTable, text: string): string | undefined {
	const rows: Record<string, unknown>[] = [];
	for (const line of text.split("\n").filter((one) => one !== "")) {
		const row = JSON.parse(line) as Record<string, unknown>;
		const known = new Set(table.fields.map(({ name }) => name));
		const stranger = Object.keys(row).find((name) => !known.has(name));
		if (stranger !== undefined) return `No such field: ${stranger}`;
		for (const { name, type, mode } of table.fields) {
			const value = row[name] ?? null;
			if (value === null ? mode === "REQUIRED" : fits[type]?.(value) !== true) return `Bad value of ${name}: ${line}`;
		}
		rows.push(row);
	}
	table.rows = rows;
	return undefined;
}

type Parameters = Readonly<Record<string, string>>;

const names = (list: string, prefix = "") =>
	list.split(", ").map((name) => name.slice(prefix.length).replaceAll("`", ""));

const conditions: Readonly<Record<string, (row: Record<string, unknown>, given: Parameters) => boolean>> = {
	"T.account_id = @account_id": (row, given) => row.account_id === given.account_id,
	"T.sync_id = @sync_id": (row, given) => row.sync_id === given.sync_id,
	"T.date BETWEEN @date_from AND @date_to": (row, given) =>
		String(row.date) >= String(given.date_from) && String(row.date) <= String(given.date_to),
};

function isReplaced(where: string, given: Parameters): (row: Record<string, unknown>) => boolean {
	const parts = where.split(/ AND (?=T\.)/);
	return (row) =>
		parts.every((part) => {
			const holds = conditions[part];
			if (holds === undefined) throw new Error(`The stand-in does not know the condition ${part}`);
			return holds(row, given);
		});
}

const merge =
	/^MERGE `(.+)` AS T\nUSING `(.+)` AS S\nON FALSE\nWHEN NOT MATCHED BY TARGET THEN INSERT \((.+)\)\nVALUES \((.+)\)\nWHEN NOT MATCHED BY SOURCE AND (.+) THEN DELETE$/;
const clear = /^DELETE FROM `(.+)` AS T\nWHERE (.+)$/;

/** Runs the statements that the service writes, and no others; errors are returned like those of a job. */
export function runStatement(
	sql: string,
	given: Parameters,
	find: (name: string) => StoredTable | undefined,
): string | undefined {
	const [, cleared, which] = clear.exec(sql) ?? [];
	if (cleared !== undefined && which !== undefined) {
		const table = find(cleared);
		if (table === undefined) return `Not found: Table ${cleared}`;
		const goes = isReplaced(which, given);
		table.rows = table.rows.filter((row) => !goes(row));
		return undefined;
	}
	const [, target, source, into = "", values = "", where = ""] = merge.exec(sql) ?? [];
	if (target === undefined || source === undefined) throw new Error(`The stand-in does not know the statement ${sql}`);
	const [table, loaded] = [find(target), find(source)];
	if (table === undefined || loaded === undefined) return `Not found: Table ${target} or ${source}`;
	const columns = names(into);
	const valuesOf = names(values).map(
		(value) => (row: Record<string, unknown>) =>
			value.startsWith("@") ? given[value.slice(1)] : row[value.replace("S.", "")],
	);
	const known = new Set(table.fields.map(({ name }) => name));
	const stranger = columns.find((name) => !known.has(name));
	if (stranger !== undefined) return `Unrecognized name: ${stranger}`;
	const goes = isReplaced(where, given);
	const added = loaded.rows.map((row) =>
		Object.fromEntries(columns.map((name, at) => [name, valuesOf[at]?.(row) ?? null])),
	);
	table.rows = [...table.rows.filter((row) => !goes(row)), ...added];
	return undefined;
}
