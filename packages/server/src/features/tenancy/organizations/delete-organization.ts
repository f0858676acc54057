import { sql } from "kysely";
import type { Tables } from "../../../../migrations/metadata/tables/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import { changeOrganization, type Requester } from "./hold-organization.ts";
import { deletedWithoutSites, type OrganizationRow, organizations } from "./store.ts";

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
	await changeOrganization(deps, by, { ...input, least: "owner" }, async (trx, { organization }, nowMs) => {
		if (input.name !== organization.name) {
			throw new ServiceError("bad_request", "The name does not match the organization");
		}
		return { answer: undefined, entry: await endOrganization(deps, trx, organization, nowMs) };
	});
	await deps.sites.refresh();
}

/** Ends an organization with what is deleted with it, in a transaction of the caller, who records the entry. */
export async function endOrganization(
	{ endings }: Pick<DeleteOrganizationDeps, "endings">,
	trx: Metadata,
	{ id, name }: Pick<OrganizationRow, "id" | "name">,
	nowMs: number,
) {
	await organizations.update(trx, { id }, { is_active: 0, updated_at: nowMs });
	for (const end of endings) await end(trx, id, nowMs);
	return { action: "organization.deleted", resourceId: id, details: { name } } as const;
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
