import type { Answer } from "../../api/client.ts";
import { count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { Nothing, reportQuery, useReport, useSite, useSiteSearch, valueName } from "../site/index.ts";
import styles from "./goals.module.css";
import { type Matrix, matrixOf } from "./matrix.ts";
import { t } from "./properties-texts.ts";
import type { PropertyTable } from "./property-table.ts";

type Breakdown = Answer<"GET /stats/properties/breakdown">;
type Row = Matrix["rows"][number];

const mostValues = 10;
const mostRows = 25;

interface PropertyMatrixProps {
	readonly propertyKey: string;
	readonly table: PropertyTable;
}

/** The values of a property beside the sources that they came from. */
export function PropertyMatrix({ propertyKey, table }: PropertyMatrixProps) {
	const site = useSite();
	const query = { ...reportQuery(site.id, useSiteSearch()), property_key: propertyKey, table };
	const breakdown = useReport("GET /stats/properties/breakdown", query);
	return (
		<Card
			title={t.matrix}
			label={t.matrix}
			actions={
				<CopyAs
					icon
					about={t.matrix}
					route="GET /stats/properties/breakdown"
					params={query}
					rows={
						breakdown.data && (() => breakdown.data.data.map(({ values, ...source }) => ({ ...source, ...values })))
					}
				/>
			}
		>
			<Loaded query={breakdown} isEmpty={({ data }) => data.length === 0} empty={<Nothing text={t.none} />}>
				{(data) => <Cells breakdown={data} />}
			</Loaded>
		</Card>
	);
}

/** Readable name of a source; missing parts are omitted. */
const nameOf = (row: Row): string =>
	[
		valueName("utm_source", row.utm_source),
		...(row.utm_medium === "" ? [] : [valueName("utm_medium", row.utm_medium)]),
		...(row.utm_campaign === "" ? [] : [row.utm_campaign]),
	].join(" / ");

function Cells({ breakdown }: { readonly breakdown: Breakdown }) {
	const matrix = matrixOf(breakdown, mostValues, mostRows);
	const all: Row = {
		utm_source: "",
		utm_medium: "",
		utm_campaign: "",
		total: breakdown.total_events,
		values: breakdown.totals,
	};
	const columns: readonly Column<Row>[] = [
		{
			key: "source",
			label: t.source,
			cell: (row) => (row === all ? t.all : <Cut text={nameOf(row)} className={styles.short} />),
		},
		...matrix.values.map(
			(value, at): Column<Row> => ({
				key: `value ${at}`,
				label: value === "" ? t.empty : value,
				isNumber: true,
				cell: (row) => <Cell number={row.values[value] ?? 0} most={row === all ? 0 : matrix.most} />,
			}),
		),
		{ key: "all", label: t.all, isNumber: true, cell: (row) => <strong>{count(row.total)}</strong> },
	];
	const left = [
		...(matrix.valuesLeftOut > 0 ? [t.moreValues(matrix.valuesLeftOut)] : []),
		...(matrix.rowsLeftOut > 0 ? [t.moreRows(matrix.rowsLeftOut)] : []),
	];
	return (
		<>
			<DataTable
				label={t.matrix}
				columns={columns}
				rows={[all, ...matrix.rows]}
				rowKey={(row) => (row === all ? "all" : nameOf(row))}
			/>
			{left.length > 0 && <p className={styles.foot}>{t.notShown(left.join(", "))}</p>}
		</>
	);
}

const Cell = ({ number, most }: { readonly number: number; readonly most: number }) => (
	<span
		className={styles.heat}
		style={
			number > 0 && most > 0
				? { background: `color-mix(in oklab, var(--shade-3) ${Math.round((number / most) * 45)}%, var(--card))` }
				: undefined
		}
	>
		{count(number)}
	</span>
);
