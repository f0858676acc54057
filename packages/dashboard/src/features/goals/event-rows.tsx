import { useQuery } from "@tanstack/react-query";
import { ChevronDown, ChevronRight } from "lucide-react";
import { type ReactNode, useState } from "react";
import { day, exact } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite, valueName } from "../site/index.ts";
import { columnLabel } from "./column-label.ts";
import styles from "./goals.module.css";
import { type EventRow, propertiesText, type RowColumn, type RowKind } from "./row-columns.ts";
import { itemsQuery } from "./rows-query.ts";
import { t } from "./rows-texts.ts";

interface EventRowsProps {
	readonly kind: RowKind;
	readonly rows: readonly EventRow[];
	readonly columns: readonly RowColumn[];
}

/** Identity of a row; two events may share a millisecond. */
const rowKey = (row: EventRow, at: number): string => `${row.timestamp_utc} ${at}`;
/** The site's clock at that moment, to the second. */
const timeOf = (row: EventRow): string => `${day(row.date)}, ${row.timestamp_local.slice(11, 19)}`;

/** Rows of events; a purchase opens to show its items. */
export function EventRows({ kind, rows, columns }: EventRowsProps) {
	const { currency } = useSite();
	const [open, setOpen] = useState<EventRow>();
	const time: Column<EventRow> = {
		key: "time",
		label: t.time,
		cell: (row) => (
			<span className={styles.time}>
				{kind === "conversions" && (
					<Button
						small
						icon
						look="quiet"
						aria-label={open === row ? t.hideItems : t.showItems}
						aria-expanded={open === row}
						onClick={() => setOpen(open === row ? undefined : row)}
					>
						{open === row ? (
							<ChevronDown size={16} aria-hidden="true" />
						) : (
							<ChevronRight size={16} aria-hidden="true" />
						)}
					</Button>
				)}
				{timeOf(row)}
			</span>
		),
	};
	const others = columns.map(
		(name): Column<EventRow> => ({
			key: name,
			label: columnLabel(name),
			isNumber: name === "amount",
			cell: (row) => cell(row, name, currency),
		}),
	);
	return (
		<DataTable
			label={t.kinds[kind]}
			columns={[time, ...others]}
			rows={rows}
			rowKey={rowKey}
			below={(row) => row === open && <Items row={row} />}
		/>
	);
}

function cell(row: EventRow, name: RowColumn, currency: string): ReactNode {
	if (name === "amount") return exact(row.amount ?? 0, "money", currency);
	if (name === "properties") return <span className={styles.long}>{propertiesText(row.properties)}</span>;
	if (name === "clid") return <Cut text={row.clid ?? ""} className={styles.short} />;
	if (name === "conversion_type") return row.conversion_type;
	const text = row[name] === "" ? "" : valueName(name, row[name]);
	return <Cut text={text} className={styles.short} />;
}

function Items({ row }: { readonly row: EventRow }) {
	const { id } = useSite();
	const items = useQuery(itemsQuery(id, row));
	return (
		<Loaded
			query={items}
			skeleton={<p role="status">…</p>}
			isEmpty={(all) => all.length === 0}
			empty={<p>{t.noItems}</p>}
		>
			{(all) => <ItemTable items={all} />}
		</Loaded>
	);
}

/** Items have the properties that the site gave them: each is a column. */
function ItemTable({ items }: { readonly items: readonly EventRow[] }) {
	const keys = [...new Set(items.flatMap(({ properties }) => Object.keys(properties)))];
	return (
		<table className={styles.items}>
			<caption className="visually-hidden">{t.items}</caption>
			<thead>
				<tr>
					{keys.map((key) => (
						<th key={key} scope="col">
							{key}
						</th>
					))}
				</tr>
			</thead>
			<tbody>
				{items.map((item, at) => (
					<tr key={rowKey(item, at)}>
						{keys.map((key) => (
							<td key={key}>{item.properties[key] ?? ""}</td>
						))}
					</tr>
				))}
			</tbody>
		</table>
	);
}
