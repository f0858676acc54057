import { useQuery } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { ask } from "../../api/batch.ts";
import { addressOf } from "../../api/client.ts";
import { send } from "../../api/session.ts";
import { todayIn } from "../../lib/days.ts";
import { download } from "../../lib/download.ts";
import { asFailure, failureOf } from "../../lib/failure.ts";
import { count, figure } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Baseline } from "../../ui/change/baseline.ts";
import { BarChart, seriesColours } from "../../ui/charts/bar-chart.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager, pageOf } from "../../ui/pager/pager.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { CopyAs } from "../copy-as/index.ts";
import {
	comparedQuery,
	daysOf,
	filterFields,
	metricOf,
	Nothing,
	reportQuery,
	ScreenHead,
	useChangeSearch,
	useSite,
	useSiteSearch,
	valueName,
	withValue,
} from "../site/index.ts";
import { type Choice, type PivotAnswer, type PivotPage, pivotQuery, sortingOf } from "./ask-pivot.ts";
import { Axes } from "./axes.tsx";
import styles from "./explore-screen.module.css";
import { amountOf, meaningful, metricsOf } from "./figures.ts";
import { columnName, type Pairs } from "./pairs.ts";
import { keyOf, looks, type Pivot, readPivot, writePivot } from "./pivot.ts";
import { PivotLines } from "./pivot-lines.tsx";
import { PivotTable } from "./pivot-table.tsx";
import { t } from "./texts.ts";

/** The most rows that one file holds. */
const mostRows = 100_000;

/** The question for all rows of a pivot, without totals. */
const rowsQuestion = (
	{ days, compared: _, ...choice }: Choice,
	{ rows, columns, figures }: Pivot,
	{ sort }: PivotPage,
) => ({
	...choice,
	date_from: days.from,
	date_to: days.to,
	dimensions: [...rows, ...columns],
	metrics: metricsOf(figures),
	order_by: [sort],
});

/**
 * Saves all rows of a pivot, without totals, as a file that the server writes.
 * @throws {Failure} with the API's code.
 */
async function saveRows(choice: Choice, pivot: Pivot, page: PivotPage) {
	const { site_id, segment, segment_filters, ...body } = rowsQuestion(choice, pivot, page);
	const filename = `${site_id}-${body.date_from}-${body.date_to}.csv`;
	const address = addressOf("POST /stats/query/export", {}, { site_id, segment, segment_filters, filename });
	const response = await send(address, {
		method: "POST",
		headers: { "Content-Type": "application/json" },
		body: JSON.stringify({ ...body, limit: mostRows }),
	});
	if (!response.ok) throw await failureOf(response);
	download(filename, await response.blob());
}

/** Questions to begin with. */
const presets: readonly { readonly label: string; readonly pivot: Pivot }[] = [
	{
		label: t.ofPreset.campaigns,
		pivot: { rows: ["utm_campaign"], columns: ["device_type"], figures: ["entrances", "revenue"], look: "table" },
	},
	{
		label: t.ofPreset.hours,
		pivot: { rows: ["hour"], columns: ["day_of_week"], figures: ["entrances"], look: "table" },
	},
	{
		label: t.ofPreset.countries,
		pivot: { rows: ["utm_source", "utm_medium"], columns: ["country"], figures: ["entrances"], look: "table" },
	},
	{
		label: t.ofPreset.days,
		pivot: { rows: ["date"], columns: ["channel_group"], figures: ["entrances"], look: "lines" },
	},
	{
		label: t.ofPreset.landing,
		pivot: {
			rows: ["landing_page", "utm_source"],
			columns: [],
			figures: ["entrances", "bounce_rate", "conversions", "conversion_rate"],
			look: "table",
		},
	},
];

/** Rows that go through the clipboard; the file holds more. */
const mostCopied = 1_000;

/** Any figures by any dimensions, as a table, bars or lines; the address holds all of it. */
export function ExploreScreen() {
	const { pivot, choice, page, onPivot } = useExplore();
	const params = rowsQuestion(choice, pivot, page);
	return (
		<>
			<ScreenHead title={t.title}>
				<Button
					title={t.csvName}
					onClick={() =>
						void saveRows(choice, pivot, page).then(
							() => toast(t.saved),
							(error: unknown) => toast(asFailure(error).message),
						)
					}
				>
					<Download size={16} aria-hidden="true" /> {t.csv}
				</Button>
				<CopyAs
					about={t.result}
					route="POST /stats/query"
					params={params}
					rows={async () => (await ask("POST /stats/query", { ...params, limit: mostCopied })).data}
					sql="asked"
				/>
			</ScreenHead>
			<div className="column-12">
				<Card className="stack-12">
					<Axes pivot={pivot} onChange={onPivot} />
					<p className={styles.presets}>
						<span>{t.presets}</span>
						{presets.map((preset) => (
							<Button key={preset.label} small look="quiet" onClick={() => onPivot(preset.pivot)}>
								{preset.label}
							</Button>
						))}
					</p>
				</Card>
				<Result />
			</div>
		</>
	);
}

/** The pivot in the address. */
function useExplore() {
	const site = useSite();
	const search = useSiteSearch();
	const change = useChangeSearch();
	const pivot = readPivot(search.view);
	const { site_id, segment, segment_filters } = reportQuery(site.id, search);
	const { compare, compare_align, compare_start, compare_end } = comparedQuery(site.id, search);
	const choice: Choice = {
		site_id,
		...(segment !== undefined && { segment }),
		...(segment_filters !== undefined && { segment_filters }),
		days: daysOf(search, todayIn(site.timezone)),
		compared: {
			...(compare !== undefined && { compare }),
			...(compare_align !== undefined && { compare_align }),
			...(compare_start !== undefined && { compare_start }),
			...(compare_end !== undefined && { compare_end }),
		},
	};
	const page: PivotPage = { sort: sortingOf(search.sort, pivot), page: pageOf(search.page) - 1 };
	const onPivot = (next: Pivot) => change({ view: writePivot(next), page: undefined });
	return { pivot, choice, page, onPivot };
}

function Result() {
	const { pivot, choice, page, onPivot } = useExplore();
	const change = useChangeSearch();
	const onFilter = useFilter();
	const query = useQuery(pivotQuery(choice, pivot, page));
	return (
		<Card label={t.result}>
			<header className={styles.head}>
				<fieldset className={styles.looks} aria-label={t.look}>
					{looks.map((look) => (
						<Button
							key={look}
							small
							look="quiet"
							aria-pressed={look === pivot.look}
							className={styles.look}
							onClick={() => onPivot({ ...pivot, look })}
						>
							{t[look]}
						</Button>
					))}
				</fieldset>
				<p className={styles.summary}>{query.data ? summaryOf(query.data) : "\u00a0"}</p>
			</header>
			<Loaded query={query} part="result" isEmpty={isEmpty} empty={<Nothing text={t.nothing} />}>
				{(answer) => (
					<>
						{pivot.look === "bars" ? (
							<PivotBars answer={answer} onFilter={onFilter} />
						) : pivot.look === "lines" ? (
							<PivotLines answer={answer} days={choice.days} onDays={() => onPivot(byDays(pivot))} />
						) : (
							<Baseline value={answer.baseline}>
								<PivotTable
									answer={answer}
									sort={page.sort}
									onSort={({ field, direction }) =>
										change({ sort: direction === "desc" ? `-${field}` : field, page: undefined })
									}
									onFilter={onFilter}
								/>
							</Baseline>
						)}
						<Foot answer={answer} asked={pivot} page={page.page + 1} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

const isEmpty = ({ pivot, groups }: PivotAnswer): boolean => pivot.rows.length > 0 && groups.length === 0;
const byDays = (pivot: Pivot): Pivot => ({
	...pivot,
	rows: ["date"],
	columns: [...pivot.rows, ...pivot.columns].filter((name) => name !== "date").slice(0, 1),
});

/** Filters by values; a day becomes the period. */
function useFilter(): (pairs: Pairs) => void {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	return (pairs) => {
		const day = pairs.find(([name]) => name === "date")?.[1];
		const next = pairs.reduce<readonly string[]>((filters, [name, value]) => {
			const field = filterFields.find((one) => one === name);
			return field === undefined || value === null ? filters : withOnly(filters, field, String(value));
		}, f);
		change({ f: next, page: undefined, ...(typeof day === "string" && { from: day, to: day, period: "custom" }) });
	};
}

/** The filters that keep one value of a field. */
function withOnly(filters: readonly string[], field: (typeof filterFields)[number], value: string): readonly string[] {
	const others = filters.filter(
		(filter) => !["eq", "in"].some((operator) => filter.startsWith(`${field}:${operator}:`)),
	);
	return withValue(others, field, value);
}

const summaryOf = ({ pivot: { rows, columns }, totalRows }: PivotAnswer): string =>
	[...(rows.length > 0 ? [t.count(totalRows, count(totalRows))] : []), t.used(rows.length + columns.length)].join(
		" · ",
	);

interface FootProps {
	readonly answer: PivotAnswer;
	readonly asked: Pivot;
	readonly page: number;
}

function Foot({ answer, asked, page }: FootProps) {
	const change = useChangeSearch();
	const known = meaningful(asked.figures, [...asked.rows, ...asked.columns]);
	const drawn = asked.look === "table" ? 0 : Math.max(0, answer.columns.length - seriesColours);
	const leftOut = answer.columnsLeftOut + drawn;
	const without = asked.figures.filter((key) => !known.includes(key)).map((key) => metricOf(key).label);
	return (
		<footer className={styles.foot}>
			<p>
				{without.length > 0 && `${t.without(without.join(", "))} `}
				{leftOut > 0 && `${asked.look === "table" ? t.moreColumns(leftOut) : t.notDrawn(leftOut)} `}
				{t.rates}
			</p>
			<Pager
				page={page}
				pageSize={answer.pageSize}
				total={answer.totalRows}
				onPage={(next) => change({ page: next === 1 ? undefined : String(next) })}
			/>
		</footer>
	);
}

interface PivotBarsProps {
	readonly answer: PivotAnswer;
	readonly onFilter: (pairs: Pairs) => void;
}

/** The first figure of the outer groups as bars, one a column. */
function PivotBars({ answer: { pivot, groups, columns }, onFilter }: PivotBarsProps) {
	const { currency } = useSite();
	const [dimension] = pivot.rows;
	const [key = "entrances"] = pivot.figures;
	const { kind, label } = metricOf(key);
	const shown = columns.slice(0, seriesColours);
	return (
		<BarChart
			label={`${label}, ${t.bars}`}
			series={shown.map((column) => columnName(column, pivot.columns))}
			rows={groups.map(({ path, total, cells }) => {
				const value = path[0] ?? null;
				const rows = shown.length > 0 ? shown.map((column) => cells.get(keyOf(column, pivot.columns))) : [total];
				return {
					key: JSON.stringify(path),
					label: dimension ? valueName(dimension, value) : t.all,
					values: rows.map((row) => ({ value: amountOf(key, row), text: figure(amountOf(key, row), kind, currency) })),
					onClick: dimension && (() => onFilter([[dimension, value]])),
				};
			})}
		/>
	);
}
