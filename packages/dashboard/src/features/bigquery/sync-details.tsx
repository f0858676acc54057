import { useQuery } from "@tanstack/react-query";
import { bytes } from "../../lib/bytes.ts";
import { count, days } from "../../lib/format.ts";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { logQuery, type Sync } from "./queries.ts";
import { t } from "./texts.ts";

/** Rows that a sync sent, and the days that failed. */
export function SyncDetails({ sync }: { readonly sync: Sync }) {
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
