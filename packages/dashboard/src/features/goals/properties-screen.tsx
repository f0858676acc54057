import type { Answer } from "../../api/client.ts";
import { count } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { Nothing, reportQuery, useChangeSearch, useReport, useSite, useSiteSearch, valueName } from "../site/index.ts";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import { type Matrix, matrixOf } from "./matrix.ts";
import { t } from "./properties-texts.ts";
import { type PropertyTable, PropertyValues, tables } from "./property-values.tsx";

type Key = Answer<"GET /stats/properties/keys">[number];

/** Properties of events, their values and sources. */
export function PropertiesScreen() {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const table: PropertyTable = tables.find((one) => one === viewValue(search.view, "of")) ?? "both";
	const params = { ...reportQuery(site.id, search), table };
	const keys = useReport("GET /stats/properties/keys", params);
	const named = viewValue(search.view, "key");
	// Properties of conversions say more than those of events.
	const chosen =
		keys.data?.find(({ key }) => key === named) ??
		keys.data?.find(({ conversions_count }) => conversions_count > 0) ??
		keys.data?.[0];
	const key = chosen?.key;
	const hidden = [
		...(chosen?.conversions_count === 0 ? ["conversions", "revenue"] : []),
		...(chosen?.microconversions_count === 0 ? ["events"] : []),
	];
	const actions = (
		<div className="row-centered">
			<TableChoice
				table={table}
				onChoose={(next) => change({ view: next === "both" ? [] : [`of:${next}`], page: undefined })}
			/>
			<CopyAs
				icon
				about={t.keys}
				route="GET /stats/properties/keys"
				params={params}
				rows={keys.data && (() => keys.data)}
			/>
		</div>
	);
	return (
		<>
			<GoalsHead />
			<div className="column-12">
				<div className={styles.pair}>
					<Card title={t.keys} label={t.keys} actions={actions}>
						<Loaded query={keys} isEmpty={(all) => all.length === 0} empty={<Nothing text={t.none} />}>
							{(all) => <Keys keys={all} table={table} chosen={key} />}
						</Loaded>
					</Card>
					{key !== undefined && <PropertyValues propertyKey={key} table={table} hidden={hidden} />}
				</div>
				{key !== undefined && <PropertyMatrix propertyKey={key} table={table} />}
			</div>
		</>
	);
}

interface TableChoiceProps {
	readonly table: PropertyTable;
	readonly onChoose: (table: string) => void;
}

function TableChoice({ table, onChoose }: TableChoiceProps) {
	return (
		<select
			aria-label={t.of}
			className={styles.select}
			value={table}
			onChange={(event) => onChoose(event.target.value)}
		>
			{tables.map((one) => (
				<option key={one} value={one}>
					{t.tables[one]}
				</option>
			))}
		</select>
	);
}

interface KeysProps {
	readonly keys: readonly Key[];
	readonly table: PropertyTable;
	readonly chosen: string | undefined;
}

function Keys({ keys, table, chosen }: KeysProps) {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const name: Column<Key> = {
		key: "key",
		label: t.key,
		cell: ({ key }) => (
			<button
				type="button"
				className={styles.type}
				title={t.choose(key)}
				onClick={() => change({ view: withView(view, "key", [key]), page: undefined })}
			>
				{key}
			</button>
		),
	};
	const total: Column<Key> = { key: "total", label: t.total, isNumber: true, cell: (row) => count(row.total_count) };
	const parts: readonly Column<Key>[] = [
		{ key: "conversions", label: t.conversions, isNumber: true, cell: (row) => count(row.conversions_count) },
		{ key: "events", label: t.events, isNumber: true, cell: (row) => count(row.microconversions_count) },
	];
	return (
		<DataTable
			label={t.keys}
			columns={[name, ...(table === "both" ? parts : []), total]}
			rows={keys}
			rowKey={({ key }) => key}
			isChosen={({ key }) => key === chosen}
		/>
	);
}

type Breakdown = Answer<"GET /stats/properties/breakdown">;
type Row = Matrix["rows"][number];

const mostValues = 10;
const mostRows = 25;

interface PropertyMatrixProps {
	readonly propertyKey: string;
	readonly table: PropertyTable;
}

/** The values of a property beside the sources that they came from. */
function PropertyMatrix({ propertyKey, table }: PropertyMatrixProps) {
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
