import { useMemo, useState } from "react";
import type { ReportInput } from "../../api/batch.ts";
import { classes } from "../../lib/classes.ts";
import { todayIn } from "../../lib/days.ts";
import { exact, figure, longWeekdays, weekdays } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { Card } from "../../ui/card/card.tsx";
import { type HeatCell, HeatMap } from "../../ui/charts/heat-map.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { CopyAs } from "../copy-as/index.ts";
import { useWeekOrder } from "../preferences/index.ts";
import {
	daysOf,
	isChosen,
	mayFilterBy,
	metrics,
	reportQuery,
	useChangeSearch,
	useReport,
	useSite,
	useSiteSearch,
	withValue,
} from "../site/index.ts";
import styles from "./hours-card.module.css";
import { hoursTitle } from "./hours-words.ts";
import { NothingHere } from "./nothing-here.tsx";

const t = texts({
	en: {
		metric: "Metric",
		cell: (day: string, hour: string, value: string, metric: string) => `${day}, ${hour}: ${value} ${metric}`,
	},
	es: {
		metric: "Métrica",
		cell: (day: string, hour: string, value: string, metric: string) => `${day}, ${hour}: ${value} ${metric}`,
	},
});

const offered = ["entrances", "page_views", "conversions", "revenue"] as const;
type Offered = (typeof offered)[number];
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, "0"));
const cells = 7 * hours.length;

/** When in the week visits come. A click asks for one hour of one weekday. */
export function HoursCard() {
	const [metric, setMetric] = useState<Offered>("entrances");
	const params = useHoursInput(metric);
	const query = useReport("POST /stats/query", params);
	return (
		<Card
			label={hoursTitle}
			title={hoursTitle}
			className={styles.card}
			actions={
				<div className="row-centered">
					<FigureChoice metric={metric} onChoose={setMetric} />
					<CopyAs
						icon
						about={hoursTitle}
						route="POST /stats/query"
						params={params}
						rows={query.data && (() => query.data.data)}
						sql="asked"
					/>
				</div>
			}
		>
			<div className={styles.body}>
				<Loaded
					query={query}
					skeleton={<div className={classes("placeholder", styles.skeleton)} />}
					isEmpty={({ data }) => data.length === 0}
					empty={<NothingHere />}
				>
					{({ data }) => <Week metric={metric} rows={data} />}
				</Loaded>
			</div>
		</Card>
	);
}

interface FigureChoiceProps {
	readonly metric: Offered;
	readonly onChoose: (metric: Offered) => void;
}

function FigureChoice({ metric, onChoose }: FigureChoiceProps) {
	return (
		<select
			aria-label={t.metric}
			className={styles.metric}
			value={metric}
			onChange={(event) => onChoose(event.target.value as Offered)}
		>
			<Options of={offered} text={(key) => metrics[key].label} />
		</select>
	);
}

/** The open query names its days itself. */
function useHoursInput(metric: Offered): ReportInput<"POST /stats/query"> {
	const site = useSite();
	const search = useSiteSearch();
	const { period: _, start_date: __, end_date: ___, ...asked } = reportQuery(site.id, search);
	const { from, to } = daysOf(search, todayIn(site.timezone));
	return {
		...asked,
		date_from: from,
		date_to: to,
		dimensions: ["day_of_week", "hour"],
		metrics: [metric],
		limit: cells,
	};
}

interface HourRow {
	readonly day_of_week?: number | null;
	readonly hour?: number | null;
	readonly [metric: string]: unknown;
}

function Week({ metric, rows }: { readonly metric: Offered; readonly rows: readonly HourRow[] }) {
	const { currency } = useSite();
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const { label, kind } = metrics[metric];
	const values = useMemo(
		() => new Map(rows.map((row) => [`${row.day_of_week} ${row.hour}`, Number(row[metric] ?? 0)])),
		[rows, metric],
	);
	const { order } = useWeekOrder();
	/** From Monday on, as the API counts weekdays. */
	const dayAt = (row: number) => order[row] ?? row;
	const valueAt = ({ row, column }: HeatCell) => values.get(`${dayAt(row) + 1} ${column}`) ?? 0;
	const isAsked = ({ row, column }: HeatCell) =>
		isChosen(f, "day_of_week", String(dayAt(row) + 1)) && isChosen(f, "hour", String(column));
	const choose = (cell: HeatCell) => {
		const others = f.filter((text) => !/^(day_of_week|hour):/.test(text));
		const day = String(dayAt(cell.row) + 1);
		if (isAsked(cell)) change({ f: others });
		else change({ f: withValue(withValue(others, "day_of_week", day), "hour", String(cell.column)) });
	};
	return (
		<HeatMap
			label={hoursTitle}
			rows={order.map((day) => weekdays[day] ?? "")}
			columns={hours}
			valueAt={valueAt}
			write={(value) => figure(value, kind, currency)}
			say={(cell) => {
				const value = exact(valueAt(cell), kind, currency);
				return t.cell(
					longWeekdays[dayAt(cell.row)] ?? "",
					`${hours[cell.column]}:00`,
					value,
					label.toLocaleLowerCase(),
				);
			}}
			isChosen={isAsked}
			onChoose={mayFilterBy("hour") ? choose : undefined}
		/>
	);
}
