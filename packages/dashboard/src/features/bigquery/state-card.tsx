import { type ReactNode, useState } from "react";
import { ago, time } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { ConfirmDialog } from "../../ui/confirm/confirm-dialog.tsx";
import { State } from "../../ui/items/items.tsx";
import { useLeadsOrganization } from "../site/index.ts";
import { BackfillDialog } from "./backfill-dialog.tsx";
import styles from "./bigquery.module.css";
import type { PartProps } from "./part-props.ts";
import type { Integration } from "./queries.ts";
import { SettingsDialog } from "./settings-dialog.tsx";
import { t } from "./texts.ts";

const isFailing = ({ last_sync_status: last }: Integration) => last === "failed" || last === "partial";

function stateOf(integration: Integration) {
	if (!integration.is_active) return { text: t.paused, tone: "muted" } as const;
	return isFailing(integration)
		? ({ text: t.failing, tone: "bad" } as const)
		: ({ text: t.active, tone: "good" } as const);
}

/** State of the integration and its actions. */
export function StateCard({ integration, changes }: PartProps) {
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
		<div className={styles.actions}>
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
