import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The role that an invited member gets on the sites of the invitation. */
export const invitedSiteRoles: MetadataMigration = {
	name: "0039-invited-site-roles",
	up: async ({ db }) => {
		await db.schema
			.alterTable("invitations")
			.addColumn("site_role", "text", (column) => column.notNull().defaultTo("viewer"))
			.execute();
	},
};
