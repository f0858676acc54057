import { changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange } from "../../tenancy/organizations/index.ts";
import type { SyncedSite } from "./ask-sync.ts";
import { audited, type ConnectInput } from "./connect.ts";
import type { BigQueryDeps } from "./deps.ts";
import { nextTurn } from "./next-turn.ts";
import { endSync } from "./run-sync.ts";
import { integrationNotFound } from "./set-up.ts";
import { deleteIntegration, findIntegration, type IntegrationRow, updateIntegration } from "./store.ts";
import { findRunning } from "./sync-store.ts";

/** Editable fields of an integration. */
export type IntegrationChanges = Partial<
	Pick<ConnectInput, "sync_frequency" | "data_types" | "backfill_days"> & { readonly is_active: boolean }
>;

type By = SiteChange & { readonly site: SyncedSite };

const auditedRow = (row: IntegrationRow) =>
	audited({ ...row, data_types: JSON.parse(row.data_types), is_active: row.is_active === 1 });

/** Changes the parts given; one that is paused ends the sync that runs. Throws `not_found`. */
export function changeIntegration(deps: BigQueryDeps, by: By, given: IntegrationChanges): Promise<IntegrationRow> {
	return changeInTurn(deps, by, async (trx, now) => {
		const before = await findIntegration(trx, by.site.id);
		if (before === undefined) throw integrationNotFound();
		const { data_types: types, is_active: isActive, ...others } = given;
		const changes = {
			...others,
			...(types !== undefined && { data_types: JSON.stringify(types) }),
			...(isActive !== undefined && { is_active: isActive ? 1 : 0 }),
		};
		const next = nextTurn(by.site, { ...before, ...changes }, now);
		const running = isActive === false ? await findRunning(trx, by.site.id) : undefined;
		if (running !== undefined) await endSync({ ...deps, metadata: trx }, running, "cancelled", "Paused");
		const row = await updateIntegration(trx, before.id, { ...changes, next_sync_at: next, updated_at: now });
		if (row === undefined) throw integrationNotFound();
		const details = changedFields(auditedRow(before), auditedRow(row));
		return { answer: row, entry: { action: "bigquery.updated", resourceId: row.id, details } };
	});
}

/** Disconnects a site: key and log go, what is in BigQuery stays. Throws `not_found`. */
export function disconnect(deps: BigQueryDeps, by: By): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await findIntegration(trx, by.site.id);
		if (row === undefined) throw integrationNotFound();
		await deleteIntegration(trx, by.site.id);
		const details = removedFields(auditedRow(row));
		return { answer: undefined, entry: { action: "bigquery.deleted", resourceId: row.id, details } };
	});
}
