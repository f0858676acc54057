import type { ReactNode } from "react";
import type { Answer } from "../../api/client.ts";
import { count, exact } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { type Column, DataTable, type Sorting } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { comparedQuery, Nothing, useChangeSearch, useReport, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { Moved } from "./moved.tsx";
import { SplitList } from "./split-list.tsx";
import { t } from "./texts.ts";
import { TrackedPages, TrackPage } from "./tracked-pages.tsx";
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
	const params = {
		...asked,
		page_size: 100,
		sort_by: sortBy,
		sort_order: sorting.isDescending ? ("desc" as const) : ("asc" as const),
	};
	const conversions = useReport("GET /stats/conversions", params);
	const overview = useReport("GET /stats/overview", asked);
	const name = viewValue(search.view, "type");
	const chosen = conversions.data?.data.find((row) => row.conversion_type === name) ?? conversions.data?.data[0];
	return (
		<Card
			title={t.conversions}
			label={t.conversions}
			actions={
				<div className="row-centered">
					<TrackPage />
					<CopyAs
						about={t.conversions}
						route="GET /stats/conversions"
						params={params}
						rows={conversions.data && (() => conversions.data.data)}
						sql="asked"
					/>
				</div>
			}
		>
			<Loaded
				query={conversions}
				part="conversions"
				isEmpty={({ data }) => data.length === 0}
				empty={
					<>
						<Nothing text={t.noConversions} />
						{site.goals.length === 0 && <TrackPage isExample />}
					</>
				}
			>
				{({ data }) => (
					<Baseline value={baselineOf(overview.data)}>
						<ConversionsTable
							rows={data}
							overview={overview.data}
							chosen={chosen}
							sorting={{ ...sorting, by: sortBy }}
						/>
						{chosen && <Split row={chosen} />}
					</Baseline>
				)}
			</Loaded>
			<TrackedPages />
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
	const isCompared = rows.some((row) => row.count_prev !== undefined);
	const name: Column<Row> = {
		key: "type",
		label: t.type,
		cell: ({ conversion_type: type }) => (
			<button
				type="button"
				className={styles.type}
				title={t.choose(type)}
				onClick={() => change({ view: withView(view, "type", [type]) })}
			>
				{type}
			</button>
		),
	};
	const figures = figuresOf(overview, currency, isCompared);
	return (
		<DataTable
			label={t.conversions}
			columns={[name, ...figures]}
			rows={rows}
			rowKey={(row) => row.conversion_type}
			isChosen={(row) => row === chosen}
			sorting={sorting}
			onSort={({ by, isDescending }) => change({ sort: isDescending ? `-${by}` : by })}
		/>
	);
}

/** The figures of a type, each with how it has changed. */
function figuresOf(overview: Overview | undefined, currency: string, isCompared: boolean): readonly Column<Row>[] {
	const visits = overview?.traffic.entrances;
	const before = overview?.traffic_change?.entrances;
	const column = (key: string, label: string, cell: Column<Row>["cell"], canSort = false): Column<Row> => ({
		key,
		label,
		cell,
		canSort,
		isNumber: true,
	});
	// A type without amounts has no revenue rather than none.
	const money = (value: number) => (value === 0 ? "–" : exact(value, "money", currency));
	const moved = (text: string, change: ReactNode) => <Moved by={isCompared && change}>{text}</Moved>;
	return [
		column(
			"count",
			t.count,
			(row) => moved(count(row.count), <Change now={row.count} before={row.count_prev} kind="count" good="up" />),
			true,
		),
		column("rate", t.rate, ({ count: now, count_prev: earlier }) =>
			visits === undefined
				? ""
				: moved(
						exact(rate(now, visits), "rate"),
						before !== undefined && earlier !== undefined && (
							<Change now={rate(now, visits)} before={rate(earlier, before)} kind="rate" good="up" />
						),
					),
		),
		column(
			"revenue",
			t.revenue,
			(row) =>
				moved(
					money(row.revenue),
					(row.revenue !== 0 || (row.revenue_prev ?? 0) !== 0) && (
						<Change now={row.revenue} before={row.revenue_prev} kind="money" good="up" currency={currency} />
					),
				),
			true,
		),
		column("avg_value", t.value, (row) => money(row.avg_value), true),
	];
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
