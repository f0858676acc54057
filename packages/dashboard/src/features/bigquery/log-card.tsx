import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { bytes } from "../../lib/bytes.ts";
import { ago, count, days, exact } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Pager } from "../../ui/pager/pager.tsx";
import { useLeadsOrganization, useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { isRunning, logQuery, logsQuery, type PartProps, pageSize, type Sync } from "./queries.ts";
import { t } from "./texts.ts";

const tones = {
	running: "muted",
	success: "good",
	failed: "bad",
	partial: "warn",
	cancelled: "muted",
} as const satisfies Record<Sync["status"], string>;

/** The syncs of a site, newest first. */
export function LogCard({ changes }: Pick<PartProps, "changes">) {
	const site = useSite();
	const [page, setPage] = useState(1);
	const isBusy = changes.sync.isBusy || changes.backfill.isBusy || changes.retry.isBusy;
	const query = useQuery(logsQuery(site.id, page, isBusy));
	return (
		<Card title={t.log}>
			<Loaded query={query} isEmpty={({ total }) => total === 0} empty={<p>{t.noSync}</p>}>
				{({ logs, total }) => (
					<>
						<Items label={t.log}>
							{logs.map((sync) => (
								<SyncRow key={sync.id} sync={sync} changes={changes} />
							))}
						</Items>
						<Pager page={page} pageSize={pageSize} total={total} onPage={setPage} />
					</>
				)}
			</Loaded>
		</Card>
	);
}

function factsOf(sync: Sync): string {
	const { total_rows_synced: rows, duration_seconds: seconds } = sync;
	return [
		t.began(ago(sync.sync_started_at)),
		...(isRunning(sync) && sync.total_chunks > 1 ? [t.parts(sync.completed_chunks, sync.total_chunks)] : []),
		...(rows > 0 ? [t.rows(rows, count(rows)), bytes(sync.total_bytes_synced)] : []),
		...(seconds === null ? [] : [t.took(exact(seconds, "duration"))]),
	].join(" · ");
}

function SyncRow({ sync, changes: { retry } }: Pick<PartProps, "changes"> & { readonly sync: Sync }) {
	const [isOpen, setOpen] = useState(false);
	const mayRetry = useLeadsOrganization();
	return (
		<Item
			title={t.name(t.kinds[sync.sync_type], days(sync.date_from, sync.date_to))}
			state={{ text: t.states[sync.status], tone: tones[sync.status] }}
			facts={factsOf(sync)}
			actions={
				<>
					{mayRetry && (sync.status === "failed" || sync.status === "partial") && (
						<Button small disabled={retry.isBusy} onClick={() => retry.run(sync.id)}>
							{t.retry}
						</Button>
					)}
					<Button small aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
						{isOpen ? t.hide : t.details}
					</Button>
				</>
			}
		>
			{sync.error_message !== null && <p className={styles.fault}>{sync.error_message}</p>}
			{isOpen && <SyncDetails sync={sync} />}
		</Item>
	);
}

/** Rows that a sync sent, and the days that failed. */
function SyncDetails({ sync }: { readonly sync: Sync }) {
	const site = useSite();
	const query = useQuery(logQuery(site.id, sync));
	return (
		<div className={styles.details}>
			<Loaded query={query}>
				{({ tables_synced: tables, failed_chunks: failed, sync_id: id }) => (
					<>
						{tables === null ? (
							<p className={styles.muted}>{t.nothingSent}</p>
						) : (
							<DataTable
								label={t.name(t.kinds[sync.sync_type], days(sync.date_from, sync.date_to))}
								columns={[
									{ key: "table", label: t.table, cell: ([table]) => table },
									{ key: "rows", label: t.rowsHead, isNumber: true, cell: ([, { rows }]) => count(rows) },
									{ key: "size", label: t.size, isNumber: true, cell: ([, amount]) => bytes(amount.bytes) },
								]}
								rows={Object.entries(tables)}
								rowKey={([table]) => table}
							/>
						)}
						{failed.length > 0 && (
							<div>
								<h3>{t.failedParts}</h3>
								<ul>
									{failed.map(({ date_from: from, date_to: to, error }) => (
										<li key={from} className={styles.fault}>
											{days(from, to)}: {error}
										</li>
									))}
								</ul>
							</div>
						)}
						<p className={styles.muted}>
							{t.syncId} <code>{id}</code>
						</p>
					</>
				)}
			</Loaded>
		</div>
	);
}
