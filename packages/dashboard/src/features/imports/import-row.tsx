import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { bytes } from "../../lib/bytes.ts";
import { daysBetween } from "../../lib/days.ts";
import { ago, count, day, days, exact, percent } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { type Column, DataTable } from "../../ui/data-table/data-table.tsx";
import { Item } from "../../ui/items/items.tsx";
import { useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { countedQuery, type Import, isWorking, type Report, useImports } from "./queries.ts";
import { t } from "./texts.ts";

const tones = {
	pending: "muted",
	validating: "muted",
	validated: "warn",
	importing: "muted",
	completed: "good",
	failed: "bad",
	cancelled: "muted",
	undone: "muted",
} as const satisfies Record<Import["status"], string>;

/** One import: its state, content and actions. */
export function ImportRow({ one }: { readonly one: Import }) {
	const { report } = one;
	const facts = [
		t.sources[one.source],
		bytes(one.file_size_bytes),
		t.handedIn(ago(one.created_at)),
		...(one.undone_at === null ? [] : [t.undoneAt(ago(one.undone_at))]),
	];
	return (
		<Item
			title={one.file_name}
			state={{ text: t.states[one.status], tone: tones[one.status] }}
			facts={facts.join(" · ")}
			actions={<Actions one={one} />}
		>
			{isWorking(one) && <Progress one={one} />}
			{one.error_message !== null && <p className={styles.fault}>{one.error_message}</p>}
			{report !== null && <ImportReport one={one} report={report} />}
		</Item>
	);
}

const Progress = ({ one }: { readonly one: Import }) => (
	<div className={styles.progress}>
		<progress aria-label={one.file_name} max={100} value={one.progress_percent} />
		<span>{t.progress(t.states[one.status], percent(one.progress_percent))}</span>
	</div>
);

function Actions({ one }: { readonly one: Import }) {
	const site = useSite();
	const { run, undo, remove } = useImports(site.id);
	const [asks, setAsks] = useState<"undo" | "remove">();
	const { status, report } = one;
	const mayChange = may("POST /imports/{import_id}/run", site.role);
	// One that failed before it was run has written nothing.
	const hasRows = status === "completed" || (status === "failed" && !one.dry_run);
	const isEmpty = report?.rows_accepted === 0;
	return (
		<>
			{status === "completed" && <ReportLink one={one} />}
			{mayChange && status === "validated" && (
				<Button small look="primary" disabled={run.isBusy || isEmpty} onClick={() => run.run(one)}>
					{t.run}
				</Button>
			)}
			{mayChange && hasRows && (
				<Button small look="danger" disabled={undo.isBusy} onClick={() => setAsks("undo")}>
					{t.undo}
				</Button>
			)}
			{mayChange && status !== "completed" && (
				<Button
					small
					look="danger"
					disabled={remove.isBusy}
					onClick={() => (status === "importing" ? setAsks("remove") : remove.run(one))}
				>
					{isWorking(one) ? t.cancel : t.remove}
				</Button>
			)}
			{asks !== undefined && (
				<ConfirmDialog
					title={asks === "undo" ? t.undoTitle(one.file_name) : t.cancelTitle(one.file_name)}
					goes={[goesOf(one)]}
					stays={t.undoStays}
					action={asks === "undo" ? t.undo : t.cancel}
					onConfirm={() => (asks === "undo" ? undo : remove).mutateAsync(one)}
					onClose={() => setAsks(undefined)}
				/>
			)}
		</>
	);
}

function goesOf({ report }: Import): string {
	if (report === null || report.date_from === null || report.date_to === null) return t.undoAll;
	const { entrances, page_views } = report.totals;
	return t.undoGoes(days(report.date_from, report.date_to), count(entrances), count(page_views));
}

/** The report of the days that it has brought. */
function ReportLink({ one: { account_id, report } }: { readonly one: Import }) {
	if (report === null || report.date_from === null || report.date_to === null) return null;
	const { date_from: from, date_to: to } = report;
	return (
		<Link className={buttonClass("plain", true)} to={`/sites/${account_id}`} search={{ period: "custom", from, to }}>
			{t.toReport}
		</Link>
	);
}

/** Longer ranges are not asked for in one question. */
const mostDays = 730;

/** Content of a file: accepted and rejected rows with reasons, and its days beside those of the reports. */
function ImportReport({ one, report }: { readonly one: Import; readonly report: Report }) {
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
