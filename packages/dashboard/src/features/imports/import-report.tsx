import { useQuery } from "@tanstack/react-query";
import { daysBetween } from "../../lib/days.ts";
import { count, day, days, exact } from "../../lib/format.ts";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { countedQuery, type Import, type Report } from "./queries.ts";
import { t } from "./texts.ts";

/** Longer ranges are not asked for in one question. */
const mostDays = 730;

/** Content of a file: accepted and rejected rows with reasons, and its days beside those of the reports. */
export function ImportReport({ one, report }: { readonly one: Import; readonly report: Report }) {
	const { currency } = useSite();
	return (
		<details className={styles.part} open={one.status === "validated"}>
			<summary>{t.report}</summary>
			<div className={styles.report}>
				{report.warnings.map((warning) => (
					<p key={warning} className={styles.warning}>
						{warning}
					</p>
				))}
				<p>{t.read(count(report.rows_read), count(report.rows_accepted), count(report.rows_skipped))}</p>
				<Facts report={report} currency={currency} />
				<p>{report.dimensions_filled.length === 0 ? t.noDimensions : t.dimensions(namesOf(report))}</p>
				{report.skip_reasons.length > 0 && <Skipped report={report} />}
				{report.by_day.length > 0 && <DaysTable one={one} report={report} />}
			</div>
		</details>
	);
}

const namesOf = ({ dimensions_filled }: Report): string => dimensions_filled.map((name) => t.filled[name]).join(", ");

function Facts({ report, currency }: { readonly report: Report; readonly currency: string }) {
	const { totals, date_from, date_to } = report;
	const facts = [
		[t.range, date_from === null || date_to === null ? t.noDays : days(date_from, date_to)],
		[t.totals.entrances, count(totals.entrances)],
		[t.totals.engaged_entrances, count(totals.engaged_entrances)],
		[t.totals.page_views, count(totals.page_views)],
		[t.totals.conversions, count(totals.conversions)],
		[t.totals.microconversions, count(totals.microconversions)],
		[t.totals.revenue, exact(totals.revenue, "money", currency)],
	] as const;
	return (
		<dl className={styles.facts}>
			{facts.map(([name, value]) => (
				<div key={name}>
					<dt>{name}</dt>
					<dd>{value}</dd>
				</div>
			))}
		</dl>
	);
}

type Skip = Report["skip_reasons"][number];

const skipColumns: readonly Column<Skip>[] = [
	{ key: "reason", label: t.reason, cell: ({ reason }) => t.reasons[reason] },
	{ key: "count", label: t.count, isNumber: true, cell: (skip) => count(skip.count) },
	{
		key: "lines",
		label: t.lines,
		cell: ({ sample_lines, samples }) => [sample_lines.join(", "), ...samples].join("; "),
	},
];

const Skipped = ({ report }: { readonly report: Report }) => (
	<section>
		<h3>{t.skipped}</h3>
		<DataTable label={t.skipped} columns={skipColumns} rows={report.skip_reasons} rowKey={({ reason }) => reason} />
	</section>
);

function DaysTable({ one, report }: { readonly one: Import; readonly report: Report }) {
	const counted = useCounted(one, report);
	const columns: readonly Column<Report["by_day"][number]>[] = [
		{ key: "date", label: t.day, cell: ({ date }) => day(date, "long") },
		{ key: "entrances", label: t.totals.entrances, isNumber: true, cell: (row) => count(row.entrances) },
		{ key: "page_views", label: t.totals.page_views, isNumber: true, cell: (row) => count(row.page_views) },
		{
			key: "counted",
			label: t.counted,
			isNumber: true,
			cell: ({ date }) => (counted === undefined ? "–" : count(counted.get(date) ?? 0)),
		},
	];
	return (
		<section>
			<h3>{t.byDay}</h3>
			<div className={styles.days}>
				<DataTable label={t.byDay} columns={columns} rows={report.by_day} rowKey={({ date }) => date} />
			</div>
		</section>
	);
}

/** Entrances that the reports have now on these days. */
function useCounted({ account_id, status }: Import, { date_from, date_to }: Report) {
	const isShort = date_from !== null && date_to !== null && daysBetween(date_from, date_to) <= mostDays;
	const query = countedQuery(account_id, date_from ?? "", date_to ?? "");
	const { data } = useQuery({ ...query, queryKey: [...query.queryKey, status], enabled: isShort });
	return data?.entrances_series && new Map(data.entrances_series.points.map(({ date, value }) => [date, value]));
}
