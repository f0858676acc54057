import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { may } from "../../api/may.ts";
import { bytes } from "../../lib/bytes.ts";
import { ago, count, days, percent } from "../../lib/format.ts";
import { Button, buttonClass } from "../../ui/button/button.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { Item } from "../../ui/items/items.tsx";
import { useSite } from "../site/index.ts";
import { ImportReport } from "./import-report.tsx";
import styles from "./imports.module.css";
import { type Import, isWorking, useImports } from "./queries.ts";
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
