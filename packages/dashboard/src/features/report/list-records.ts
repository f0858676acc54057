import { isPath, valueName } from "../site/index.ts";
import type { Row } from "./list-answer.ts";
import type { List } from "./lists.ts";

/** Rows of a list as records whose columns have the API's names. */
export function listRecords(list: List, rows: readonly Row[]): readonly object[] {
	const columns = list.columns.flatMap((column) => [column, `${column}_prev`]);
	return rows.map(({ value, figures }) => ({
		[list.value]: list.field && isPath(list.field) ? valueName(list.field, value) : value,
		...Object.fromEntries(columns.filter((name) => figures[name] !== undefined).map((name) => [name, figures[name]])),
	}));
}
