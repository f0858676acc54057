import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { addDays, todayIn } from "../../lib/days.ts";
import { ago, time } from "../../lib/format.ts";
import { textOf, useForm } from "../../lib/use-form.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { DataTable } from "../../ui/data-table/data-table.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { Pair, RecordForm } from "../../ui/form/record-form.tsx";
import { State } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, useLeadsOrganization, useSite } from "../site/index.ts";
import styles from "./bigquery.module.css";
import { FrequencyChoice, frequencyOf, TypeChoice, typesOf } from "./choices.tsx";
import { ConnectCard } from "./connect-card.tsx";
import { LogCard } from "./log-card.tsx";
import {
	type Integration,
	integrationQuery,
	isRunning,
	logsQuery,
	type PartProps,
	schemaQuery,
	useBigQuery,
} from "./queries.ts";
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

const isFailing = ({ last_sync_status: last }: Integration) => last === "failed" || last === "partial";

function stateOf(integration: Integration) {
	if (!integration.is_active) return { text: t.paused, tone: "muted" } as const;
	return isFailing(integration)
		? ({ text: t.failing, tone: "bad" } as const)
		: ({ text: t.active, tone: "good" } as const);
}

/** State of the integration and its actions. */
function StateCard({ integration, changes }: PartProps) {
	const mayChange = useLeadsOrganization();
	const { last_sync_at: last, next_sync_at: next, last_error: error } = integration;
	return (
		<Card title={t.state} actions={<State {...stateOf(integration)} />}>
			<dl className={styles.facts}>
				<Fact name={t.dataIn}>
					{`${integration.gcp_project_id}.${integration.dataset_id} · ${integration.location} · ${t.tables(integration.tables_created?.length ?? 0)}`}
				</Fact>
				<Fact name={t.account}>{integration.service_account_email}</Fact>
				<Fact name={t.frequency}>{t.frequencies[integration.sync_frequency]}</Fact>
				<Fact name={t.last}>{last === null ? t.never : `${ago(last)} (${time(last)})`}</Fact>
				<Fact name={t.next}>{next === null ? t.noNext : time(next)}</Fact>
				{error !== null && isFailing(integration) && (
					<Fact name={t.why}>
						<span className={styles.fault}>{error}</span>
					</Fact>
				)}
			</dl>
			{mayChange && <Actions integration={integration} changes={changes} />}
		</Card>
	);
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
	<>
		<dt>{name}</dt>
		<dd>{children}</dd>
	</>
);

function Actions({ integration, changes }: PartProps) {
	const [open, setOpen] = useState<"backfill" | "settings" | "disconnect">();
	const close = () => setOpen(undefined);
	const { change, setUp, sync, disconnect } = changes;
	return (
		<div className="row-centered">
			{integration.is_active && (
				<>
					<Button look="primary" disabled={sync.isBusy} onClick={() => sync.run(undefined)}>
						{sync.isBusy ? t.syncing : t.syncNow}
					</Button>
					<Button onClick={() => setOpen("backfill")}>{t.backfill}</Button>
				</>
			)}
			<Button
				look={integration.is_active ? "plain" : "primary"}
				disabled={change.isBusy}
				onClick={() => change.run({ is_active: !integration.is_active })}
			>
				{integration.is_active ? t.pause : t.resume}
			</Button>
			<Button onClick={() => setOpen("settings")}>{t.settings}</Button>
			<Button disabled={setUp.isBusy} onClick={() => setUp.run(undefined)}>
				{t.setUp}
			</Button>
			<Button look="danger" onClick={() => setOpen("disconnect")}>
				{t.disconnect}
			</Button>
			{open === "backfill" && <BackfillDialog changes={changes} onClose={close} />}
			{open === "settings" && <SettingsDialog integration={integration} changes={changes} onClose={close} />}
			{open === "disconnect" && (
				<ConfirmDialog
					title={t.disconnectTitle}
					goes={t.disconnectGoes}
					stays={t.disconnectStays}
					action={t.disconnect}
					onConfirm={() => disconnect.mutateAsync(undefined)}
					onClose={close}
				/>
			)}
		</div>
	);
}

const usualDays = 30;

interface BackfillProps {
	readonly changes: ReturnType<typeof useBigQuery>;
	readonly onClose: () => void;
}

/** Asks which days of the past are to be synced. */
function BackfillDialog({ changes: { backfill }, onClose }: BackfillProps) {
	const { timezone } = useSite();
	const today = todayIn(timezone);
	const form = useForm(async (values) => {
		await backfill.mutateAsync({
			date_from: textOf(values, "date_from"),
			date_to: textOf(values, "date_to"),
			chunk_days: Number(textOf(values, "chunk_days")),
		});
		onClose();
	});
	return (
		<Dialog title={t.backfillTitle} onClose={onClose}>
			<RecordForm form={form} action={form.isBusy ? t.syncing : t.begin} onCancel={onClose}>
				<p className={styles.intro}>{t.backfillWords}</p>
				<Pair>
					<Field
						label={t.from}
						name="date_from"
						type="date"
						required
						max={today}
						defaultValue={addDays(today, 1 - usualDays)}
					/>
					<Field label={t.to} name="date_to" type="date" required max={today} defaultValue={today} />
				</Pair>
				<Field label={t.chunkDays} name="chunk_days" type="number" min={1} max={30} required defaultValue={7} />
			</RecordForm>
		</Dialog>
	);
}

/** Settings: data to sync and interval. */
function SettingsDialog({ integration, changes, onClose }: PartProps & { readonly onClose: () => void }) {
	const [isUnchosen, setUnchosen] = useState(false);
	const form = useForm(async (values) => {
		const types = typesOf(values);
		setUnchosen(types.length === 0);
		if (types.length === 0) return;
		await changes.change.mutateAsync({
			sync_frequency: frequencyOf(values),
			data_types: types,
			backfill_days: Number(textOf(values, "backfill_days")),
		});
		onClose();
	});
	return (
		<Dialog title={t.settingsTitle} onClose={onClose}>
			<RecordForm form={form} onCancel={onClose}>
				<FrequencyChoice value={integration.sync_frequency} />
				<TypeChoice chosen={integration.data_types} error={isUnchosen ? t.chooseOne : form.errorOf("data_types")} />
				<Field
					label={t.backfillDays}
					name="backfill_days"
					type="number"
					min={0}
					max={365}
					required
					defaultValue={integration.backfill_days}
				/>
			</RecordForm>
		</Dialog>
	);
}
