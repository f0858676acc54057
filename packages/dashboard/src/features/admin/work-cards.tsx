import { Link } from "@tanstack/react-router";
import { ago, count, time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import styles from "./admin.module.css";
import { kindName } from "./jobs-texts.ts";
import type { System } from "./system-query.ts";
import { t } from "./system-texts.ts";

interface PartProps {
	readonly system: System;
}

type Kind = System["jobs"]["kinds"][number];
type Schedule = System["schedules"][number];

/** Number of jobs by kind; the count of dead jobs links to their errors. */
export function KindsCard({ system: { jobs } }: PartProps) {
	const number = (key: "pending" | "running" | "done") =>
		({ key, label: t[key], isNumber: true, cell: (row: Kind) => count(row[key]) }) as const;
	return (
		<Card title={t.jobs}>
			<DataTable
				label={t.jobs}
				rows={jobs.kinds}
				rowKey={({ kind }) => kind}
				columns={[
					{ key: "kind", label: t.kind, cell: ({ kind }) => kindName(kind) },
					number("pending"),
					number("running"),
					{
						key: "failed",
						label: t.failed,
						isNumber: true,
						cell: ({ kind, failed }) =>
							failed === 0 ? (
								count(0)
							) : (
								<Link
									to="/admin/$screen"
									params={{ screen: "jobs" }}
									search={{ view: ["status:failed", `kind:${kind}`] }}
									className={styles.bad}
								>
									{count(failed)}
								</Link>
							),
					},
					number("done"),
				]}
			/>
		</Card>
	);
}

/** Scheduled jobs of the service. */
export function SchedulesCard({ system: { schedules } }: PartProps) {
	return (
		<Card title={t.schedules}>
			<DataTable
				label={t.schedules}
				rows={schedules}
				rowKey={({ name }) => name}
				columns={[
					{ key: "name", label: t.name, cell: ({ name }) => kindName(name) },
					{ key: "last", label: t.last, cell: (row) => lastOf(row) },
					{
						key: "next",
						label: t.next,
						cell: ({ next_run_at: next }) => next && <span title={time(next)}>{ago(next)}</span>,
					},
					{ key: "when", label: t.when, cell: ({ cron }) => <code>{cron}</code> },
				]}
			/>
		</Card>
	);
}

function lastOf({ last_run_at: at, last_status: status }: Schedule) {
	if (at === null || status === null) return t.neverRan;
	return (
		<span title={time(at)} className={status === "failed" ? styles.bad : undefined}>
			{ago(at)}, {t.ended[status]}
		</span>
	);
}
