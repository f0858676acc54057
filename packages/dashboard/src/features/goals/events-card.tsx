import { useQuery } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { count } from "../../lib/format.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { Card } from "../../ui/card/card.tsx";
import { Baseline, baselineOf } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager } from "../../ui/pager/pager.tsx";
import { CopyAs } from "../copy-as/index.ts";
import {
	comparedQuery,
	Nothing,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
} from "../site/index.ts";
import styles from "./goals.module.css";
import { Moved } from "./moved.tsx";
import { SplitList } from "./split-list.tsx";
import { t } from "./texts.ts";
import { Where } from "./where.tsx";

type Row = Answer<"GET /stats/microconversions">["data"][number];

const pageSize = 25;

/** Events by type, and where the chosen type comes from. */
export function EventsCard() {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const page = Number(viewValue(search.view, "events") ?? 1) || 1;
	const params = { ...comparedQuery(site.id, search), page, page_size: pageSize };
	const events = useReport("GET /stats/microconversions", params);
	const chosen = viewValue(search.view, "event") ?? events.data?.data[0]?.conversion_type;
	return (
		<Card
			title={t.events}
			label={t.events}
			actions={
				<CopyAs
					about={t.events}
					route="GET /stats/microconversions"
					params={params}
					rows={events.data && (() => events.data.data)}
					sql="asked"
				/>
			}
		>
			<Loaded query={events} part="events" isEmpty={({ total }) => total === 0} empty={<Nothing text={t.noEvents} />}>
				{({ data, total }) => (
					<>
						<Baseline value={baselineOf(events.data)}>
							<EventsTable rows={data} chosen={chosen} />
						</Baseline>
						{total > pageSize && (
							<Pager
								page={page}
								pageSize={pageSize}
								total={total}
								onPage={(next) => change({ view: withView(search.view, "events", [String(next)]) })}
							/>
						)}
						{chosen !== undefined && <Split type={chosen} />}
					</>
				)}
			</Loaded>
		</Card>
	);
}

function EventsTable({ rows, chosen }: { readonly rows: readonly Row[]; readonly chosen: string | undefined }) {
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	const isCompared = rows.some((row) => row.count_prev !== undefined);
	const columns: readonly Column<Row>[] = [
		{
			key: "type",
			label: t.type,
			cell: ({ conversion_type: type }) => (
				<button
					type="button"
					className={styles.type}
					title={t.choose(type)}
					onClick={() => change({ view: withView(view, "event", [type]) })}
				>
					{type}
				</button>
			),
		},
		{
			key: "count",
			label: t.count,
			isNumber: true,
			cell: (row) => (
				<Moved by={isCompared && <Change now={row.count} before={row.count_prev} kind="count" good="neither" />}>
					{count(row.count)}
				</Moved>
			),
		},
	];
	return (
		<DataTable
			label={t.events}
			columns={columns}
			rows={rows}
			rowKey={(row) => row.conversion_type}
			isChosen={(row) => row.conversion_type === chosen}
		/>
	);
}

function Split({ type }: { readonly type: string }) {
	const { id } = useSite();
	const search = useSiteSearch();
	const input = { path: { type }, query: reportQuery(id, search) };
	const split = useQuery({
		queryKey: ["GET /stats/microconversions/{type}", input],
		queryFn: ({ signal }) => call("GET /stats/microconversions/{type}", { ...input, signal }),
	});
	return (
		<Where type={type} of="microconversions">
			<Loaded
				query={split}
				part="split"
				isEmpty={({ totals }) => totals.count === 0}
				empty={<Nothing text={t.noEvents} />}
			>
				{(data) => (
					<div className={styles.split}>
						<SplitList label={t.sources} by={["utm_source", "utm_medium"]} rows={data.by_source} />
						<SplitList label={t.landing} by={["landing_page"]} rows={data.by_landing_page} />
						<SplitList label={t.devices} by={["device_type"]} rows={data.by_device} />
						<SplitList label={t.countries} by={["country"]} rows={data.by_country} />
					</div>
				)}
			</Loaded>
		</Where>
	);
}
