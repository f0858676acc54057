import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Which plan an organization had when, and what collectors took for plans with a limit that is never reset. */
export const planHistory: MetadataMigration = {
	name: "0037-plan-history",
	up: async ({ db }) => {
		await db.schema
			.alterTable("usage_days")
			.addColumn("collected_events", "bigint", (column) => column.notNull().defaultTo(0))
			.execute();
		await db.schema
			.createTable("plan_changes")
			.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
			.addColumn("changed_at", "bigint", (column) => column.notNull())
			.addColumn("plan_before", "text", (column) => column.notNull())
			.addPrimaryKeyConstraint("plan_changes_key", ["organization_id", "changed_at"])
			.execute();
	},
};
