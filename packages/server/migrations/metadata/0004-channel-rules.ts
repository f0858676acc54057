import { sql } from "kysely";
import type { MetadataMigration, MigrationContext } from "../../src/platform/metadata/migration.ts";

/** Channel rules of the sites, and the count by which processes notice changes to settings that they keep in memory. */
export const channelRules: MetadataMigration = {
	name: "0004-channel-rules",
	up: async (context) => {
		await createVersions(context);
		await createRules(context);
	},
};

async function createVersions({ db }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("setting_versions")
		.addColumn("topic", "text", (column) => column.notNull())
		.addColumn("owner", "text", (column) => column.notNull())
		.addColumn("version", "bigint", (column) => column.notNull())
		.addPrimaryKeyConstraint("setting_versions_key", ["topic", "owner"])
		.execute();
	await db.schema
		.createIndex("setting_versions_by_version")
		.on("setting_versions")
		.columns(["topic", "version"])
		.execute();
}

/** Ids below 1001 belong to the default rules, which are not stored. */
const LAST_DEFAULT_ID = 1000;

async function createRules({ db, autoId, engine }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("channel_rules")
		.addColumn("id", "integer", autoId)
		.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
		.addColumn("channel_name", "text", (column) => column.notNull())
		.addColumn("source_pattern", "text")
		.addColumn("medium_pattern", "text")
		.addColumn("campaign_pattern", "text")
		.addColumn("priority", "integer", (column) => column.notNull())
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("updated_at", "bigint", (column) => column.notNull())
		.execute();
	await db.schema.createIndex("channel_rules_by_site").on("channel_rules").column("site_id").execute();
	if (engine === "postgres") {
		await sql`alter table channel_rules alter column id restart with ${sql.lit(LAST_DEFAULT_ID + 1)}`.execute(db);
	} else {
		await sql`insert into sqlite_sequence (name, seq) values ('channel_rules', ${LAST_DEFAULT_ID})`.execute(db);
	}
}
