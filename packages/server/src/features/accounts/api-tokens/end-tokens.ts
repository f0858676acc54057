import { reachableSites } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { membershipsOf, type OrganizationEnding } from "../organizations/index.ts";
import type { TokenTables } from "./store.ts";

type HeldTables = TokenTables & {
	sites: { id: string; organization_id: string };
	site_members: { site_id: string; user_id: number };
	organization_members: { organization_id: string; user_id: number };
};

const tables = (metadata: Metadata) => metadata.withTables<HeldTables>();

/** Revokes the keys that opened nothing but a deleted organization. */
export const endTokensOf: OrganizationEnding = async (metadata, organizationId, nowMs) => {
	const sites = await tables(metadata)
		.selectFrom("sites")
		.select("id")
		.where("organization_id", "=", organizationId)
		.execute();
	const gone = new Set(sites.map(({ id }) => id));
	for (const userId of await usersOf(metadata, organizationId)) {
		const tokens = await tables(metadata)
			.selectFrom("api_tokens")
			.select(["id", "site_ids"])
			.where("user_id", "=", userId)
			.where("revoked_at", "is", null)
			.execute();
		const isElsewhere = await reachesMore(metadata, userId);
		const useless = tokens.filter(({ site_ids: json }) => {
			if (json === null) return !isElsewhere;
			return (JSON.parse(json) as string[]).every((id) => gone.has(id));
		});
		for (const { id } of useless) {
			await tables(metadata).updateTable("api_tokens").set({ revoked_at: nowMs }).where("id", "=", id).execute();
		}
	}
};

/** Everybody with a role in the organization or on one of its sites. */
async function usersOf(metadata: Metadata, organizationId: string): Promise<ReadonlySet<number>> {
	const members = await tables(metadata)
		.selectFrom("organization_members")
		.select("user_id")
		.where("organization_id", "=", organizationId)
		.execute();
	const guests = await tables(metadata)
		.selectFrom("site_members")
		.innerJoin("sites", "sites.id", "site_members.site_id")
		.select("site_members.user_id")
		.where("sites.organization_id", "=", organizationId)
		.execute();
	return new Set([...members, ...guests].map(({ user_id: id }) => id));
}

/** Whether a user still belongs somewhere; the deleted organization is inactive by now. */
async function reachesMore(metadata: Metadata, userId: number): Promise<boolean> {
	if ((await membershipsOf(metadata, userId)).length > 0) return true;
	return (await reachableSites(metadata, userId)).length > 0;
}
