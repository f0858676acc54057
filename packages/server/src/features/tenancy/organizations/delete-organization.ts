import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf, type ChangeDeps, recordAudit } from "../../auditing/audit-log/index.ts";
import { holdOrganization, type Requester } from "./hold-organization.ts";
import { updateOrganization } from "./store.ts";

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
		await recordAudit(
			metadata,
			actorOf(by),
			{ action: "organization.deleted", resourceId: organization.id, organizationId: organization.id, details },
			nowMs,
		);
	});
	await deps.sites.refresh();
}
