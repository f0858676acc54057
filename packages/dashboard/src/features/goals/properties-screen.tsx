import type { Answer } from "../../api/client.ts";
import { count } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { Nothing, reportQuery, useChangeSearch, useReport, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import { t } from "./properties-texts.ts";
import { PropertyMatrix } from "./property-matrix.tsx";
import { type PropertyTable, tables } from "./property-table.ts";
import { PropertyValues } from "./property-values.tsx";

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
	const key = keys.data?.find((one) => one.key === named)?.key ?? keys.data?.[0]?.key;
	const actions = (
		<div className={styles.aside}>
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
			<div className={styles.screen}>
				<div className={styles.pair}>
					<Card title={t.keys} label={t.keys} actions={actions}>
						<Loaded query={keys} isEmpty={(all) => all.length === 0} empty={<Nothing text={t.none} />}>
							{(all) => <Keys keys={all} table={table} chosen={key} />}
						</Loaded>
					</Card>
					{key !== undefined && <PropertyValues propertyKey={key} table={table} />}
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
