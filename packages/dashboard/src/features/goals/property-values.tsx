import type { Answer } from "../../api/client.ts";
import { count, exact } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { pageOf } from "../../ui/pager/pager.tsx";
import { CopyAs } from "../copy-as/index.ts";
import {
	isChosen,
	Nothing,
	PageFoot,
	propertyField,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./properties-texts.ts";

/** Tables with properties. */
export const tables = ["both", "conversions", "microconversions", "conversion_items"] as const;
export type PropertyTable = (typeof tables)[number];

type ValueRow = Answer<"GET /stats/properties/values">["data"][number];

const groups = ["utm_source", "utm_medium", "utm_campaign"] as const;
type Group = (typeof groups)[number];
const pageSize = 12;

interface PropertyValuesProps {
	readonly propertyKey: string;
	readonly table: PropertyTable;
	/** Columns that would hold zeros only. */
	readonly hidden: readonly string[];
}

/** The values of a property with what they brought, by source, medium or campaign. */
export function PropertyValues({ propertyKey, table, hidden }: PropertyValuesProps) {
	const site = useSite();
	const search = useSiteSearch();
	const group: Group = groups.find((one) => one === viewValue(search.view, "by")) ?? "utm_source";
	const page = pageOf(search.page);
	const params = {
		...reportQuery(site.id, search),
		property_key: propertyKey,
		table,
		group_by: group,
		page,
		page_size: pageSize,
	};
	const values = useReport("GET /stats/properties/values", params);
	const title = t.values(propertyKey);
	return (
		<Card
			title={title}
			label={title}
			actions={
				<div className="row-centered">
					<GroupChoice group={group} />
					<CopyAs
						icon
						about={title}
						route="GET /stats/properties/values"
						params={params}
						rows={values.data && (() => values.data.data)}
					/>
				</div>
			}
		>
			<Loaded query={values} isEmpty={({ total }) => total === 0} empty={<Nothing text={t.none} />}>
				{({ data, total }) => (
					<>
						<DataTable
							label={title}
							columns={columnsOf(propertyKey, group, site.currency).filter(({ key }) => !hidden.includes(key))}
							rows={data}
							rowKey={(_, at) => String(at)}
							isChosen={({ property_value: value }) => isChosen(search.f, propertyField(propertyKey), value)}
						/>
						<PageFoot page={page} pageSize={pageSize} total={total} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

function GroupChoice({ group }: { readonly group: Group }) {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	return (
		<select
			aria-label={t.by}
			className={styles.select}
			value={group}
			onChange={(event) => change({ view: withView(view, "by", [event.target.value]), page: undefined })}
		>
			{groups.map((one) => (
				<option key={one} value={one}>
					{t.groups[one]}
				</option>
			))}
		</select>
	);
}

interface ValueProps {
	readonly propertyKey: string;
	readonly value: string;
}

/** A value; a click filters by it, or removes that filter. */
function Value({ propertyKey, value }: ValueProps) {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const field = propertyField(propertyKey);
	return (
		<button
			type="button"
			className={styles.type}
			title={t.filter}
			aria-pressed={isChosen(f, field, value)}
			onClick={() => change({ f: withValue(f, field, value), page: undefined })}
		>
			<Cut text={value === "" ? t.empty : value} className={styles.short} />
		</button>
	);
}

const columnsOf = (propertyKey: string, group: Group, currency: string): readonly Column<ValueRow>[] => [
	{
		key: "value",
		label: t.value,
		cell: ({ property_value: value }) => <Value propertyKey={propertyKey} value={value} />,
	},
	{
		key: "group",
		label: t.groups[group],
		cell: (row) => <Cut text={valueName(group, row[group] ?? "")} className={styles.short} />,
	},
	{ key: "conversions", label: t.conversions, isNumber: true, cell: (row) => count(row.conversions_count) },
	{ key: "events", label: t.events, isNumber: true, cell: (row) => count(row.microconversions_count) },
	{ key: "revenue", label: t.revenue, isNumber: true, cell: (row) => exact(row.revenue, "money", currency) },
];
