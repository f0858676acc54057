import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { countActiveSitesOfEach, countMembersOfEach, rolesOf } from "./counts-store.ts";
import { presentOrganization } from "./present.ts";
import type { OrganizationRow } from "./store.ts";

/** Organizations as the API shows them to a user, with their members, their active sites and the user's role. */
export async function describeOrganizations(
	metadata: Metadata,
	organizations: readonly OrganizationRow[],
	userId: number,
) {
	const ids = organizations.map(({ id }) => id);
	if (ids.length === 0) return [];
	const members = await countMembersOfEach(metadata, ids);
	const sites = await countActiveSitesOfEach(metadata, ids);
	const roles = await rolesOf(metadata, userId);
	return organizations.map((organization) =>
		presentOrganization(organization, {
			memberCount: members.get(organization.id) ?? 0,
			siteCount: sites.get(organization.id) ?? 0,
			userRole: roles.get(organization.id) ?? null,
		}),
	);
}

/** One organization as the API shows it to a user. */
export async function describeOrganization(metadata: Metadata, organization: OrganizationRow, userId: number) {
	const [described] = await describeOrganizations(metadata, [organization], userId);
	if (described === undefined) throw new Error("An organization was left out of its own description");
	return described;
}
