import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Answer } from "../../api/client.ts";
import { Card } from "../../ui/card/card.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import { Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, useLeadsOrganization, useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { ConnectCard } from "./connect-card.tsx";
import { LogCard } from "./log-card.tsx";
import { integrationQuery, isRunning, logsQuery, schemaQuery, useBigQuery } from "./queries.ts";
import { StateCard } from "./state-card.tsx";
import { t } from "./texts.ts";

/** The figures of a site in BigQuery: connecting, how it stands, the syncs, the tables. */
export function BigQueryScreen() {
	const site = useSite();
	const changes = useBigQuery(site.id);
	const logs = useQuery(logsQuery(site.id, 1, false));
	const integration = useQuery(integrationQuery(site.id, logs.data?.logs.some(isRunning)));
	const mayConnect = useLeadsOrganization();
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			<Loaded query={integration}>
				{(found) =>
					found === null ? (
						<div className={styles.screen}>
							{mayConnect && <ConnectCard />}
							{mayConnect === false && (
								<Card label={t.connectTitle}>
									<p>{t.noneToSee}</p>
								</Card>
							)}
							<SchemaCard />
						</div>
					) : (
						<div className={styles.screen}>
							<StateCard integration={found} changes={changes} />
							<LogCard changes={changes} />
							<SchemaCard />
						</div>
					)
				}
			</Loaded>
		</div>
	);
}

type Table = Answer<"GET /integrations/bigquery/schema">["tables"][string];

/** The tables in BigQuery with their columns. */
function SchemaCard() {
	const [chosen, setChosen] = useState("fact_traffic_daily");
	const query = useQuery(schemaQuery);
	return (
		<Card title={t.schema}>
			<Loaded query={query}>
				{({ tables }) => (
					<div className={styles.details}>
						<p className={styles.intro}>{t.schemaIntro}</p>
						<Select label={t.table} value={chosen} onChange={(event) => setChosen(event.target.value)}>
							<Options of={Object.keys(tables)} />
						</Select>
						{tables[chosen] && <TableSchema name={chosen} table={tables[chosen]} />}
					</div>
				)}
			</Loaded>
		</Card>
	);
}

function factsOf(table: Table): string {
	return [
		...(table.partition_field === null ? [] : [t.partition(table.partition_field)]),
		...(table.clustering_fields.length === 0 ? [] : [t.clustering(table.clustering_fields.join(", "))]),
		...(table.partition_expiration_days === null ? [] : [t.expires(table.partition_expiration_days)]),
	].join(" · ");
}

const TableSchema = ({ name, table }: { readonly name: string; readonly table: Table }) => (
	<>
		<p className={styles.muted}>{factsOf(table)}</p>
		<DataTable
			label={name}
			columns={[
				{ key: "name", label: t.column, cell: ({ name: column }) => <code>{column}</code> },
				{ key: "type", label: t.type, cell: ({ type }) => type },
				{ key: "mode", label: t.must, cell: ({ mode }) => (mode === "REQUIRED" ? t.yes : t.no) },
			]}
			rows={[...table.schema]}
			rowKey={({ name: column }) => column}
		/>
	</>
);
