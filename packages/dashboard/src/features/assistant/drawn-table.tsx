import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { useSite } from "../site/index.ts";
import type { Message } from "./queries.ts";
import { cellText, fieldName, titleName } from "./words.ts";

type Table = Message["tables"][number];
type Row = Table["rows"][number];

/** A table that the service made of a report. */
export function DrawnTable({ table }: { readonly table: Table }) {
	const { currency } = useSite();
	const title = titleName(table.title);
	// The headline figures stand below each other, each named by its row.
	const isFigures = table.columns[0] === "metric";
	const textOf = (row: Row, at: number) => {
		if (isFigures && at === 0) return fieldName(String(row[0]));
		const field = isFigures ? String(row[0]) : (table.columns[at] ?? "");
		return cellText(field, row[at] ?? null, currency);
	};
	const columns = table.columns.map(
		(name, at): Column<Row> => ({
			key: name,
			label: fieldName(name),
			isNumber: at > 0 && table.rows.some((row) => typeof row[at] === "number"),
			cell: (row) => textOf(row, at),
		}),
	);
	return (
		<Card title={title}>
			<DataTable label={title} columns={columns} rows={table.rows} rowKey={(_, at) => String(at)} />
		</Card>
	);
}
