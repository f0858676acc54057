import { sql } from "kysely";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { deletedWithoutSites } from "./store.ts";

/** Retention of the audit entry of the deletion. */
const KEPT_YEARS = 2;

/** Tables with rows of an organization, beside its sites, which are purged earlier, and the audit log. */
export const tablesOfOrganizations = [
	"organization_members",
	"invitations",
	"exports",
	"billing_accounts",
	"billing_subscriptions",
	"billing_history",
	"usage_days",
	"usage_periods",
	"usage_notices",
	"plan_changes",
] as const satisfies readonly (keyof Tables)[];

/** Removes the organizations that were deleted two years ago, with members, invitations, usage and billing history. */
export async function purgeOrganizations({ metadata, clock }: ChangeDeps): Promise<void> {
	const before = new Date(clock.now());
	before.setUTCFullYear(before.getUTCFullYear() - KEPT_YEARS);
	for (const id of await deletedWithoutSites(metadata, before.getTime())) {
		await metadata.transaction().execute(async (trx) => {
			for (const table of tablesOfOrganizations) {
				await sql`delete from ${sql.table(table)} where organization_id = ${id}`.execute(trx);
			}
			await sql`delete from organizations where id = ${id}`.execute(trx);
			await recordAudit(trx, systemActor, { action: "organization.purged", resourceId: id }, clock.now());
		});
	}
}
