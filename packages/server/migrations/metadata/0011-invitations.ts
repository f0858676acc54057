import { sql } from "kysely";
import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Invitations into organizations. Their secrets are one-time tokens; only the hash of an accepted one stays here. */
export const invitations: MetadataMigration = {
	name: "0011-invitations",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("invitations")
			.addColumn("id", "integer", autoId)
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("email", "text", (column) => column.notNull())
			.addColumn("role", "text", (column) => column.notNull())
			.addColumn("site_ids", "text", (column) => column.notNull())
			.addColumn("invited_by", "integer", (column) => column.references("users.id"))
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("expires_at", "bigint", (column) => column.notNull())
			.addColumn("accepted_at", "bigint")
			.addColumn("accepted_by", "integer", (column) => column.references("users.id"))
			.addColumn("accepted_token_hash", "text", (column) => column.unique())
			.addColumn("made_user", "integer", (column) => column.notNull())
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.execute();
		await db.schema
			.createIndex("invitations_open")
			.unique()
			.on("invitations")
			.columns(["organization_id", "email"])
			.where(sql.ref("is_active"), "=", 1)
			.execute();
		await db.schema
			.createIndex("invitations_by_organization")
			.on("invitations")
			.columns(["organization_id", "created_at"])
			.execute();
		await db.schema.createIndex("invitations_by_user").on("invitations").column("accepted_by").execute();
	},
};
