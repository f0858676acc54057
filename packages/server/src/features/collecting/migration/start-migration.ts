import { ServiceError } from "../../../platform/errors/service-error.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { GuardedFetch } from "../../../platform/outbound/guarded-fetch.ts";
import { recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization, type SiteChange } from "../../tenancy/organizations/index.ts";
import type { ImportDeps } from "../imports/index.ts";
import type { LegacyLogin } from "./legacy-service.ts";
import { stateOf } from "./state.ts";
import { type FetchedByKind, listMigrations, type MigrationKind, type MigrationRow, migrations } from "./store.ts";

/** Dependencies of migration jobs: the fetched rows are an import. */
export interface MigrationDeps extends ServerSecrets {
	readonly imports: ImportDeps;
	readonly operatorFetch: Pick<GuardedFetch, "send">;
	/** Address of the older service; undefined = there is none. */
	readonly legacyApiUrl: string | undefined;
}

const none = { total: 0, migrated: 0 };
export const nothingFetched: FetchedByKind = { conversions: none, microconversions: none, pageviews: none };

export const MIGRATION_JOB = "migration";

export const loginSealer = (secrets: ServerSecrets) => createSealer(secrets, "migration");

interface NewMigration extends SiteChange {
	readonly accountId: string;
	readonly login: LegacyLogin;
	readonly from: string;
	readonly to: string;
	readonly kinds: readonly MigrationKind[];
}

/** Starts a migration. Throws `bad_request` for its input, and `conflict` for a running job or days that an earlier one has brought. */
export function startMigration(deps: MigrationDeps, input: NewMigration): Promise<MigrationRow> {
	const { site, actor, accountId, login, from, to, kinds } = input;
	const { metadata, clock, jobs } = deps.imports;
	if (from > to) throw new ServiceError("bad_request", "The first day is after the last one");
	if (kinds.length === 0) throw new ServiceError("bad_request", "One of the migrate_ fields must be true");
	return metadata.transaction().execute(async (trx) => {
		await lockOrganization(trx, site.organizationId);
		await refuseOverlap(trx, input);
		const import_id = uuid();
		const row = await migrations.insert(trx, {
			site_id: site.id,
			import_id,
			v1_account_id: accountId,
			sealed_login: loginSealer(deps).seal(import_id, JSON.stringify(login)),
			date_from: from,
			date_to: to,
			kinds: JSON.stringify(kinds),
			status: "pending",
			fetched: JSON.stringify(nothingFetched),
			created_by: actor.userId,
			created_at: clock.now(),
		});
		const details = { v1_account_id: accountId, date_from: from, date_to: to };
		const entry = { resourceId: row.id, siteId: site.id, organizationId: site.organizationId, details };
		await recordAudit(trx, actor, { action: "migration.started", ...entry }, clock.now());
		await jobs.enqueue(trx, { kind: MIGRATION_JOB, payload: { id: row.id } });
		return row;
	});
}

/** Rows that were brought over are counted once, whichever of their kinds a job asks for. */
async function refuseOverlap(trx: Metadata, { site, from, to }: NewMigration): Promise<void> {
	for (const stored of await listMigrations(trx, site.id)) {
		const { row, imported } = await stateOf(trx, stored);
		if (row.status === "pending" || row.status === "running") {
			throw new ServiceError("conflict", `Job ${row.id} of the site is still running`);
		}
		const isThere = imported?.status === "completed" || (imported?.status === "failed" && imported.partitions > 0);
		if (isThere && row.date_from <= to && row.date_to >= from) {
			throw new ServiceError(
				"conflict",
				`Job ${row.id} has brought days from ${row.date_from} to ${row.date_to} already; undo import ${row.import_id} first`,
			);
		}
	}
}
