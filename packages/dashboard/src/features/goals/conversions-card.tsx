import type { Answer } from "../../api/client.ts";
import { count, exact } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Change } from "../../ui/change/change.tsx";
import { type Column, DataTable, type Sorting } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { comparedQuery, Nothing, useChangeSearch, useReport, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { SplitList } from "./split-list.tsx";
import { t } from "./texts.ts";
import { Where } from "./where.tsx";

type Row = Answer<"GET /stats/conversions">["data"][number];
type Overview = Answer<"GET /stats/overview">;

const sorts = ["count", "revenue", "avg_value"] as const;

/** Conversions by type, and where the chosen type comes from. */
export function ConversionsCard() {
	const site = useSite();
	const search = useSiteSearch();
	const asked = comparedQuery(site.id, search);
	const sorting = sortingOf(search.sort);
	const sortBy = sorts.find((name) => name === sorting.by) ?? "count";
	const conversions = useReport("GET /stats/conversions", {
		...asked,
		page_size: 100,
		sort_by: sortBy,
		sort_order: sorting.isDescending ? "desc" : "asc",
	});
	const overview = useReport("GET /stats/overview", asked);
	const name = viewValue(search.view, "type");
	const chosen = conversions.data?.data.find((row) => row.conversion_type === name) ?? conversions.data?.data[0];
	return (
		<Card title={t.conversions} label={t.conversions}>
			<Loaded query={conversions} isEmpty={({ data }) => data.length === 0} empty={<Nothing text={t.noConversions} />}>
				{({ data }) => (
					<ConversionsTable rows={data} overview={overview.data} chosen={chosen} sorting={{ ...sorting, by: sortBy }} />
				)}
			</Loaded>
			{chosen && <Split row={chosen} />}
		</Card>
	);
}

const sortingOf = (sort: string | undefined): Sorting => ({
	by: sort?.replace(/^-/, "") ?? "count",
	isDescending: sort === undefined || sort.startsWith("-"),
});

/** Conversions of a type per 100 visits, as the API defines the rate of all of them. */
const rate = (number: number, visits: number): number =>
	visits === 0 ? 0 : Math.min(100, Math.round((number / visits) * 10_000) / 100);

interface TableProps {
	readonly rows: readonly Row[];
	readonly overview: Overview | undefined;
	readonly chosen: Row | undefined;
	readonly sorting: Sorting;
}

function ConversionsTable({ rows, overview, chosen, sorting }: TableProps) {
	const { currency } = useSite();
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const visits = overview?.traffic.entrances;
	const visitsBefore = overview?.traffic_change?.entrances;
	const choose = (type: string) => change({ view: withView(view, "type", [type]) });
	const columns: readonly Column<Row>[] = [
		{
			key: "type",
			label: t.type,
			cell: ({ conversion_type: type }) => (
				<button type="button" className={styles.type} title={t.choose(type)} onClick={() => choose(type)}>
					{type}
				</button>
			),
		},
		{ key: "count", label: t.count, isNumber: true, canSort: true, cell: (row) => count(row.count) },
		{
			key: "count-change",
			label: t.change,
			isNumber: true,
			cell: (row) => <Change now={row.count} before={row.count_prev} kind="count" good="up" />,
		},
		{
			key: "rate",
			label: t.rate,
			isNumber: true,
			cell: (row) => (visits === undefined ? "" : exact(rate(row.count, visits), "rate")),
		},
		{
			key: "rate-change",
			label: t.change,
			isNumber: true,
			cell: (row) =>
				visits !== undefined &&
				visitsBefore !== undefined &&
				row.count_prev !== undefined && (
					<Change now={rate(row.count, visits)} before={rate(row.count_prev, visitsBefore)} kind="rate" good="up" />
				),
		},
		{
			key: "revenue",
			label: t.revenue,
			isNumber: true,
			canSort: true,
			cell: (row) => exact(row.revenue, "money", currency),
		},
		{
			key: "revenue-change",
			label: t.change,
			isNumber: true,
			cell: (row) => <Change now={row.revenue} before={row.revenue_prev} kind="money" good="up" currency={currency} />,
		},
		{
			key: "avg_value",
			label: t.value,
			isNumber: true,
			canSort: true,
			cell: (row) => exact(row.avg_value, "money", currency),
		},
	];
	const isCompared = rows.some((row) => row.count_prev !== undefined);
	return (
		<DataTable
			label={t.conversions}
			columns={isCompared ? columns : columns.filter(({ key }) => !key.endsWith("-change"))}
			rows={rows}
			rowKey={(row) => row.conversion_type}
			isChosen={(row) => row === chosen}
			sorting={sorting}
			onSort={({ by, isDescending }) => change({ sort: isDescending ? `-${by}` : by })}
		/>
	);
}

const Split = ({ row }: { readonly row: Row }) => (
	<Where type={row.conversion_type} of="conversions">
		<div className={styles.split}>
			<SplitList
				label={t.sources}
				by={["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"]}
				rows={row.by_source.map(({ conversions, ...rest }) => ({ ...rest, count: conversions }))}
			/>
			<SplitList
				label={t.countries}
				by={["country"]}
				rows={row.by_country.map(({ conversions, ...rest }) => ({ ...rest, count: conversions }))}
			/>
		</div>
	</Where>
);
