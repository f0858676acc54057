import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import { Scroller } from "../scroller/scroller.tsx";
import styles from "./data-table.module.css";

/** A column of a table. */
export interface Column<Row> {
	readonly key: string;
	readonly label: string;
	/** Numbers stand at the end, so that their digits are below each other. */
	readonly isNumber?: boolean;
	readonly canSort?: boolean;
	readonly cell: (row: Row) => ReactNode;
	/** Stands in a last row, which tables have whose columns have totals. */
	readonly total?: ReactNode;
}

/** Order of a table. */
export interface Sorting {
	readonly by: string;
	readonly isDescending: boolean;
}

interface DataTableProps<Row> {
	/** Names the table. */
	readonly label: string;
	readonly columns: readonly Column<Row>[];
	readonly rows: readonly Row[];
	readonly rowKey: (row: Row, at: number) => string;
	/** The row that the rest of the screen is about. */
	readonly isChosen?: (row: Row) => boolean;
	readonly sorting?: Sorting | undefined;
	readonly onSort?: (sorting: Sorting) => void;
	/** Stands below a row, over the whole width. */
	readonly below?: (row: Row) => ReactNode;
	/** True where it scrolls within the height that is left: head, totals and names of rows stay in sight. */
	readonly fills?: boolean;
}

/** A table that scrolls by itself where it is too wide; its first column names the row. */
export function DataTable<Row>(props: DataTableProps<Row>) {
	const { label, columns, rows, rowKey, isChosen, below } = props;
	return (
		<Scroller className={classes(styles.scroller, props.fills && styles.fills)}>
			<table className={styles.table} aria-label={label}>
				<thead>
					<tr>
						{columns.map((column) => (
							<Head key={column.key} column={column} sorting={props.sorting} onSort={props.onSort} />
						))}
					</tr>
				</thead>
				{rows.map((row, at) => {
					const under = below?.(row);
					return (
						<tbody key={rowKey(row, at)}>
							<tr className={classes(isChosen?.(row) && styles.chosen)}>
								{columns.map(({ key, isNumber, cell }, column) =>
									column === 0 ? (
										<th key={key} scope="row">
											{cell(row)}
										</th>
									) : (
										<td key={key} className={classes(isNumber && styles.number)}>
											{cell(row)}
										</td>
									),
								)}
							</tr>
							{under && (
								<tr>
									<td colSpan={columns.length} className={styles.below}>
										{under}
									</td>
								</tr>
							)}
						</tbody>
					);
				})}
				<Totals columns={columns} />
			</table>
		</Scroller>
	);
}

function Totals<Row>({ columns }: Pick<DataTableProps<Row>, "columns">) {
	if (columns.every(({ total }) => total === undefined)) return null;
	return (
		<tfoot>
			<tr>
				{columns.map(({ key, isNumber, total }, at) =>
					at === 0 ? (
						<th key={key} scope="row">
							{total}
						</th>
					) : (
						<td key={key} className={classes(isNumber && styles.number)}>
							{total}
						</td>
					),
				)}
			</tr>
		</tfoot>
	);
}

interface HeadProps<Row> {
	readonly column: Column<Row>;
	readonly sorting: Sorting | undefined;
	readonly onSort: ((sorting: Sorting) => void) | undefined;
}

function Head<Row>({ column: { key, label, isNumber, canSort }, sorting, onSort }: HeadProps<Row>) {
	const isBy = sorting?.by === key;
	const direction = sorting?.isDescending ? "descending" : "ascending";
	const Arrow = sorting?.isDescending ? ArrowDown : ArrowUp;
	return (
		<th scope="col" className={classes(isNumber && styles.number)} aria-sort={isBy ? direction : undefined}>
			{canSort && onSort ? (
				<button
					type="button"
					className={styles.sort}
					onClick={() => onSort({ by: key, isDescending: isBy ? !sorting.isDescending : isNumber === true })}
				>
					{label}
					{isBy && <Arrow size={14} aria-hidden="true" />}
				</button>
			) : (
				label
			)}
		</th>
	);
}
