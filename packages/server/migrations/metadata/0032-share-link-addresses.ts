import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Addresses of shared links, sealed, so that the admins of their site can read them again. */
export const shareLinkAddresses: MetadataMigration = {
	name: "0032-share-link-addresses",
	up: async ({ db }) => {
		await db.schema.alterTable("share_links").addColumn("sealed_token", "text").execute();
	},
};
