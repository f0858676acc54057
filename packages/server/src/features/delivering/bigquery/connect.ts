import { type Static, Type } from "typebox";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { addedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange } from "../../tenancy/organizations/index.ts";
import type { BigQueryDeps } from "./deps.ts";
import { readServiceAccount } from "./google/authorized.ts";
import { addressOf, answering, createTables, openWarehouse, sealKey } from "./open-warehouse.ts";
import { type IntegrationRow, integrations, type SyncRow, syncs } from "./store.ts";
import { checkedDays, chunksOf, type Days, initialDays, nextTurn, USUAL_CHUNK_DAYS } from "./sync-days.ts";
import { type DataType, dataTypes } from "./warehouse/replace-rows.ts";

const locations = ["EU", "US", "europe-west1", "us-central1", "us-east1"] as const;
const frequencies = ["hourly", "daily", "manual"] as const;
export const endStatuses = ["success", "failed", "partial", "cancelled"] as const;

const types = (options: object = {}) =>
	Type.Array(OneOf(dataTypes), {
		minItems: 1,
		uniqueItems: true,
		description: "Kinds of data to sync",
		...options,
	});
const backfillDays = (options: object = {}) =>
	Type.Integer({ minimum: 0, maximum: 365, description: "Number of days before today to start with", ...options });

export const KEY_FILE = "service_account_file";
export const day = (description: string) => Type.String({ format: "date", description });

export const ConnectBody = Type.Object({
	service_account: Type.Object(
		{},
		{
			additionalProperties: true,
			// A key has line breaks; the stored parts are checked.
			"x-characters": "any",
			description: "Content of the service account's key file; stored encrypted, never shown",
			"x-form-file": KEY_FILE,
		},
	),
	gcp_project_id: Type.String({ pattern: "^[a-z][a-z0-9-]{4,28}[a-z0-9]$", description: "Google Cloud project" }),
	dataset_id: Type.String({
		pattern: "^[A-Za-z0-9_]{1,1024}$",
		default: "footfall",
		description: "Created when missing",
	}),
	location: OneOf(locations, { default: "EU" }),
	sync_frequency: OneOf(frequencies, { default: "daily" }),
	data_types: types({ default: ["traffic", "conversions", "microconversions", "pages", "landing_pages"] }),
	backfill_days: backfillDays({ default: 30 }),
	initial_date_from: Type.Optional(Nullable(day("Instead of `backfill_days`: first day of the first sync"))),
	initial_date_to: Type.Optional(Nullable(day("Last day of the first sync"))),
});

export const ChangeBody = Type.Object({
	sync_frequency: Type.Optional(OneOf(frequencies)),
	data_types: Type.Optional(types()),
	is_active: Type.Optional(Type.Boolean({ description: "`false` pauses it" })),
	backfill_days: Type.Optional(backfillDays()),
});

export const Integration = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	gcp_project_id: Type.String(),
	dataset_id: Type.String(),
	location: OneOf(locations),
	service_account_email: Type.String({ description: "Owner of the permissions in Google Cloud" }),
	sync_frequency: OneOf(frequencies),
	data_types: types(),
	backfill_days: Type.Integer(),
	initial_date_from: Nullable(Type.String({ format: "date" })),
	initial_date_to: Nullable(Type.String({ format: "date" })),
	is_active: Type.Boolean(),
	setup_completed: Type.Boolean(),
	setup_completed_at: Nullable(Timestamp()),
	tables_created: Nullable(Type.Array(Type.String())),
	next_sync_at: Nullable(Timestamp()),
	last_sync_at: Nullable(Timestamp()),
	last_sync_status: Nullable(OneOf(endStatuses)),
	last_error: Nullable(Type.String()),
	created_at: Timestamp(),
	updated_at: Timestamp(),
	created_by: Nullable(Type.Integer()),
});

export const SYNC_JOB = "bigquery-sync";

export interface SyncedSite {
	readonly id: string;
	readonly timezone: string;
	readonly organizationId: string;
}

export interface NewSync {
	readonly type: SyncRow["sync_type"];
	readonly chunks: readonly Days[];
}

type StartDeps = Pick<BigQueryDeps, "jobs" | "clock">;

/** Begins a sync within a transaction that holds the organization's lock; undefined when one of the site runs. */
export async function startSync(
	{ jobs, clock }: StartDeps,
	trx: Metadata,
	{ site, integration }: { readonly site: Omit<SyncedSite, "timezone">; readonly integration: IntegrationRow },
	{ type, chunks }: NewSync,
): Promise<SyncRow | undefined> {
	if ((await syncs.find(trx, { running_site_id: site.id })) !== undefined) return undefined;
	const days = chunks.flatMap(({ from, to }) => [from, to]).sort();
	const row = await syncs.insert(trx, {
		sync_id: uuid(),
		site_id: site.id,
		running_site_id: site.id,
		sync_type: type,
		date_from: days[0] ?? "",
		date_to: days.at(-1) ?? "",
		data_types: integration.data_types,
		chunks: JSON.stringify(chunks),
		chunks_done: 0,
		failed_chunks: "[]",
		tables_synced: "{}",
		status: "running",
		started_at: clock.now(),
	});
	const payload = { syncId: row.sync_id };
	await jobs.enqueue(trx, { kind: SYNC_JOB, payload, uniqueKey: row.sync_id, lane: site.organizationId });
	return row;
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

const alreadyThere = () => new ServiceError("duplicate_entry", "BigQuery is already connected; DELETE disconnects it");

/**
 * Connects a site: the key is tried, dataset and tables are created, the first sync is begun. Nothing is kept of what does not
 * work. Throws `duplicate_entry`, 400 for a key or dates of no use, 502 when BigQuery refuses.
 */
export async function connect(
	deps: BigQueryDeps,
	by: SiteChange & { readonly site: SyncedSite },
	input: Static<typeof ConnectBody>,
): Promise<IntegrationRow> {
	const { metadata, clock } = deps;
	const { site, actor } = by;
	const { initial_date_from: from = null, initial_date_to: to = null } = input;
	if ((from === null) !== (to === null)) {
		const missing = from === null ? "initial_date_from" : "initial_date_to";
		throw fieldError(`body.${missing}`, "must be given with the other date", "missing");
	}
	if ((await integrations.find(metadata, { site_id: site.id })) !== undefined) throw alreadyThere();
	if (from !== null && to !== null) checkedDays({ from, to }, site.timezone, clock);
	const account = await readServiceAccount(input.service_account);
	const warehouse = openWarehouse(deps, account, addressOf(input));
	const names = await answering(() => createTables(warehouse, input.location, input.data_types));
	return changeInTurn(deps, by, async (trx, now) => {
		if ((await integrations.find(trx, { site_id: site.id })) !== undefined) throw alreadyThere();
		const row = await integrations.insert(trx, {
			site_id: site.id,
			gcp_project_id: input.gcp_project_id,
			dataset_id: input.dataset_id,
			location: input.location,
			service_account_email: account.client_email,
			sealed_key: sealKey(deps, site.id, account),
			sync_frequency: input.sync_frequency,
			data_types: JSON.stringify(input.data_types),
			backfill_days: input.backfill_days,
			initial_date_from: from,
			initial_date_to: to,
			is_active: 1,
			next_sync_at: nextTurn(site, { ...input, is_active: 1 }, now),
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
