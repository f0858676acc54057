import { sql } from "kysely";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf, type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { holdOrganization, type Requester, recordOrganization } from "./hold-organization.ts";
import { deletedWithoutSites, updateOrganization } from "./store.ts";

/** Ends what a slice keeps for an organization, in the transaction that deletes it. */
export type OrganizationEnding = (metadata: Metadata, organizationId: string, nowMs: number) => Promise<void>;

export interface DeleteOrganizationDeps extends ChangeDeps {
	/** Data that is deleted with an organization: each slice brings its own. */
	readonly endings: readonly OrganizationEnding[];
	/** Refreshed once the organization is gone, so that its sites collect nothing more. */
	readonly sites: { refresh(): Promise<void> };
}

/**
 * Deletes an organization permanently: only superadmins still see it, its sites collect nothing, its keys are revoked.
 * Its rows are kept. Throws `forbidden` for others than owners, `bad_request` unless `name` is the exact name.
 */
export async function deleteOrganization(
	deps: DeleteOrganizationDeps,
	by: Requester,
	input: { readonly organizationId: string; readonly name: string },
): Promise<void> {
	const nowMs = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		const { organization } = await holdOrganization(metadata, input.organizationId, by.caller, "owner");
		if (input.name !== organization.name) {
			throw new ServiceError("bad_request", { message: "The name does not match the organization" });
		}
		await updateOrganization(metadata, organization.id, { is_active: 0, updated_at: nowMs });
		for (const end of deps.endings) await end(metadata, organization.id, nowMs);
		const details = { name: organization.name };
		await recordOrganization(
			metadata,
			actorOf(by),
			{ action: "organization.deleted", id: organization.id, details },
			nowMs,
		);
	});
	await deps.sites.refresh();
}

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
