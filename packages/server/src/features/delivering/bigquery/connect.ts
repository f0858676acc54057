import { Type } from "typebox";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { addedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange } from "../../tenancy/organizations/index.ts";
import { type SyncedSite, startSync } from "./ask-sync.ts";
import type { BigQueryDeps } from "./deps.ts";
import { readServiceAccount, type ServiceAccount } from "./google/service-account.ts";
import { addressOf, answering, createTables, openWarehouse, sealKey } from "./open-warehouse.ts";
import { Integration } from "./schemas.ts";
import { findIntegration, type IntegrationRow, insertIntegration } from "./store.ts";
import { checkedDays, chunksOf, initialDays, nextTurn, USUAL_CHUNK_DAYS } from "./sync-days.ts";
import type { DataType } from "./vocabulary.ts";

export interface ConnectInput
	extends Pick<
		IntegrationRow,
		| "gcp_project_id"
		| "dataset_id"
		| "location"
		| "sync_frequency"
		| "backfill_days"
		| "initial_date_from"
		| "initial_date_to"
	> {
	readonly service_account: Readonly<Record<string, unknown>>;
	readonly data_types: readonly DataType[];
}

const Audited = Type.Pick(Integration, [
	"gcp_project_id",
	"dataset_id",
	"location",
	"sync_frequency",
	"backfill_days",
	"initial_date_from",
	"initial_date_to",
	"is_active",
]);

export const audited = (row: IntegrationRow) => ({
	...presentRow(Audited, row),
	data_types: JSON.parse(row.data_types) as DataType[],
});

const alreadyThere = () =>
	new ServiceError("duplicate_entry", { message: "BigQuery is already connected; DELETE disconnects it" });

/**
 * Connects a site: the key is tried, dataset and tables are created, the first sync is begun. Nothing is kept of what does not
 * work. Throws `duplicate_entry`, 400 for a key or dates of no use, 502 when BigQuery refuses.
 */
export async function connect(
	deps: BigQueryDeps,
	by: SiteChange & { readonly site: SyncedSite },
	input: ConnectInput,
): Promise<IntegrationRow> {
	const { metadata, clock } = deps;
	const { site, actor } = by;
	if ((await findIntegration(metadata, site.id)) !== undefined) throw alreadyThere();
	const { initial_date_from: from, initial_date_to: to } = input;
	if (from !== null && to !== null) checkedDays({ from, to }, site.timezone, clock);
	const account = await readServiceAccount(input.service_account);
	const warehouse = openWarehouse(deps, account, addressOf(input));
	const names = await answering(() => createTables(warehouse, input.location, input.data_types));
	return changeInTurn(deps, by, async (trx, now) => {
		if ((await findIntegration(trx, site.id)) !== undefined) throw alreadyThere();
		const row = await insertIntegration(trx, {
			...newRow(deps, site, input, account),
			tables_created: JSON.stringify(names),
			setup_completed_at: now,
			created_by: actor.userId,
			created_at: now,
			updated_at: now,
		});
		const chunks = chunksOf(initialDays(row, todayIn(site.timezone, clock)), USUAL_CHUNK_DAYS);
		await startSync(deps, trx, { site, integration: row }, { type: "initial", chunks });
		const details = addedFields(audited(row));
		return { answer: row, entry: { action: "bigquery.created", resourceId: row.id, details } };
	});
}

const newRow = (deps: BigQueryDeps, site: SyncedSite, input: ConnectInput, account: ServiceAccount) => ({
	site_id: site.id,
	gcp_project_id: input.gcp_project_id,
	dataset_id: input.dataset_id,
	location: input.location,
	service_account_email: account.client_email,
	sealed_key: sealKey(deps, site.id, account),
	sync_frequency: input.sync_frequency,
	data_types: JSON.stringify(input.data_types),
	backfill_days: input.backfill_days,
	initial_date_from: input.initial_date_from,
	initial_date_to: input.initial_date_to,
	is_active: 1,
	synced_through: null,
	next_sync_at: nextTurn(site, { ...input, is_active: 1 }, deps.clock.now()),
	last_sync_at: null,
	last_sync_status: null,
	last_error: null,
});
