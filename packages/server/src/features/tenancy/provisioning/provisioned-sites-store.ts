import type { Selectable } from "kysely";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** The table of this slice; times in milliseconds. */
type ProvisionedTables = {
	provisioned_sites: {
		site_id: string;
		user_id: number;
		channel: string;
		/** What the caller said it was installed from. */
		install_source: string | null;
		created_at: number;
		/** When its 90 days were over and it was seen whether somebody had claimed it. */
		settled_at: number | null;
	};
};

/** Where a site came from. */
export type ProvisionedSiteRow = Selectable<ProvisionedTables["provisioned_sites"]>;

const tables = (metadata: Metadata) => metadata.withTables<ProvisionedTables>();

/** Notes that a site was set up for a user. */
export async function insertProvisionedSite(metadata: Metadata, row: ProvisionedSiteRow): Promise<void> {
	await tables(metadata).insertInto("provisioned_sites").values(row).execute();
}

/** The site that was set up for a user. */
export const selectProvisionedSite = (metadata: Metadata, userId: number): Promise<ProvisionedSiteRow | undefined> =>
	tables(metadata)
		.selectFrom("provisioned_sites")
		.selectAll()
		.where("user_id", "=", userId)
		.orderBy("created_at")
		.executeTakeFirst();

/** Sites that were set up before a moment and are not settled, oldest first. */
export const selectUnsettledSites = (
	metadata: Metadata,
	beforeMs: number,
	limit: number,
): Promise<ProvisionedSiteRow[]> =>
	tables(metadata)
		.selectFrom("provisioned_sites")
		.selectAll()
		.where("settled_at", "is", null)
		.where("created_at", "<=", beforeMs)
		.orderBy("created_at")
		.orderBy("site_id")
		.limit(limit)
		.execute();

export async function updateSettled(metadata: Metadata, siteId: string, settledAt: number): Promise<void> {
	await tables(metadata)
		.updateTable("provisioned_sites")
		.set({ settled_at: settledAt })
		.where("site_id", "=", siteId)
		.execute();
}
