import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import { holdOrganization, type Requester } from "./hold-organization.ts";
import { type OrganizationRow, updateOrganization } from "./store.ts";

/** Gives an organization another name; the slug stays. Throws `forbidden` for others than owners. */
export async function renameOrganization(
	deps: { readonly metadata: Metadata; readonly clock: Clock },
	by: Requester,
	input: { readonly organizationId: string; readonly name: string | undefined },
): Promise<OrganizationRow> {
	const nowMs = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const { organization } = await holdOrganization(metadata, input.organizationId, by.caller, "owner");
		const { name } = input;
		if (name === undefined || name === organization.name) return organization;
		const renamed = await updateOrganization(metadata, organization.id, { name, updated_at: nowMs });
		const details = { name: [organization.name, name] };
		await recordAudit(
			metadata,
			actorOf(by),
			{ action: "organization.updated", resourceId: organization.id, organizationId: organization.id, details },
			nowMs,
		);
		return renamed ?? organization;
	});
}
