import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import styles from "./table.module.css";

/** A column of a table; the first one names the row. */
interface TableColumn<Row> {
	readonly key: string;
	readonly label: string;
	readonly cell: (row: Row) => ReactNode;
	/** What stands in the last row. */
	readonly total?: ReactNode;
	/** True where the rows can be ordered by it. */
	readonly isSortable?: boolean;
}

interface TableProps<Row> {
	/** Names the table for screen readers. */
	readonly label: string;
	readonly columns: readonly TableColumn<Row>[];
	readonly rows: readonly Row[];
	readonly keyOf: (row: Row) => string;
	readonly sort?: { readonly key: string; readonly isRising: boolean };
	readonly onSort?: (key: string) => void;
}

/** Rows of figures, in the order that the reader chose. Where it is too wide it scrolls, and the names stay. */
export function Table<Row>({ label, columns, rows, keyOf, sort, onSort }: TableProps<Row>) {
	const hasTotals = columns.some(({ total }) => total !== undefined);
	return (
		// biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reached by the keyboard.
		<section className={styles.scroll} tabIndex={0} aria-label={label}>
			<table className={styles.table} aria-label={label}>
				<thead>
					<tr>
						{columns.map((column) => (
							<Head key={column.key} column={column} sort={sort} onSort={onSort} />
						))}
					</tr>
				</thead>
				<tbody>
					{rows.map((row) => (
						<tr key={keyOf(row)}>
							{columns.map(({ key, cell }, at) =>
								at === 0 ? (
									<th key={key} scope="row">
										{cell(row)}
									</th>
								) : (
									<td key={key}>{cell(row)}</td>
								),
							)}
						</tr>
					))}
				</tbody>
				{hasTotals && (
					<tfoot>
						<tr>
							{columns.map(({ key, total }, at) =>
								at === 0 ? (
									<th key={key} scope="row">
										{total}
									</th>
								) : (
									<td key={key}>{total}</td>
								),
							)}
						</tr>
					</tfoot>
				)}
			</table>
		</section>
	);
}

function Head<Row>({
	column: { key, label, isSortable },
	sort,
	onSort,
}: {
	readonly column: TableColumn<Row>;
	readonly sort: TableProps<Row>["sort"] | undefined;
	readonly onSort: TableProps<Row>["onSort"] | undefined;
}) {
	const isSorted = sort?.key === key;
	const Arrow = sort?.isRising ? ArrowUp : ArrowDown;
	return (
		<th scope="col" aria-sort={isSorted ? (sort.isRising ? "ascending" : "descending") : undefined}>
			{isSortable && onSort ? (
				<button type="button" className={styles.sort} onClick={() => onSort(key)}>
					<Arrow size={14} aria-hidden="true" className={isSorted ? undefined : styles.unsorted} />
					{label}
				</button>
			) : (
				label
			)}
		</th>
	);
}
