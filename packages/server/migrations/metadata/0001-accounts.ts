import type { MetadataMigration, MigrationContext } from "../../src/platform/metadata/migration.ts";

/** Users, sessions, API tokens, organizations and sites. */
export const accounts: MetadataMigration = {
	name: "0001-accounts",
	up: async (context) => {
		await createUsers(context);
		await createSignIn(context);
		await createApiTokens(context);
		await createOrganizations(context);
		await createSites(context);
		await createSiteSettings(context);
	},
};

async function createUsers({ db, autoId }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("users")
		.addColumn("id", "integer", autoId)
		.addColumn("email", "text", (column) => column.notNull().unique())
		.addColumn("name", "text", (column) => column.notNull())
		.addColumn("role", "text", (column) => column.notNull())
		.addColumn("password_hash", "text")
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("email_verified_at", "bigint")
		.addColumn("two_factor_enabled_at", "bigint")
		.addColumn("last_login_at", "bigint")
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("updated_at", "bigint", (column) => column.notNull())
		.execute();
}

async function createSignIn({ db, autoId }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("sessions")
		.addColumn("id", "text", (column) => column.primaryKey())
		.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
		.addColumn("refresh_hash", "text", (column) => column.notNull())
		.addColumn("rotated_hashes", "text", (column) => column.notNull())
		.addColumn("user_agent", "text")
		.addColumn("ip_address", "text")
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("last_used_at", "bigint", (column) => column.notNull())
		.addColumn("expires_at", "bigint", (column) => column.notNull())
		.addColumn("revoked_at", "bigint")
		.execute();
	await db.schema.createIndex("sessions_by_user").on("sessions").columns(["user_id", "created_at"]).execute();
	await db.schema
		.createTable("login_failures")
		.addColumn("id", "integer", autoId)
		.addColumn("subject", "text", (column) => column.notNull())
		.addColumn("failed_at", "bigint", (column) => column.notNull())
		.execute();
	await db.schema
		.createIndex("login_failures_by_subject")
		.on("login_failures")
		.columns(["subject", "failed_at"])
		.execute();
	await db.schema.createIndex("login_failures_by_time").on("login_failures").column("failed_at").execute();
	await db.schema
		.createTable("setup_links")
		.addColumn("token_hash", "text", (column) => column.primaryKey())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.execute();
}

async function createApiTokens({ db, autoId }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("api_tokens")
		.addColumn("id", "integer", autoId)
		.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
		.addColumn("name", "text", (column) => column.notNull())
		.addColumn("token_hash", "text", (column) => column.notNull().unique())
		.addColumn("token_prefix", "text", (column) => column.notNull())
		.addColumn("scopes", "text", (column) => column.notNull())
		.addColumn("site_ids", "text")
		.addColumn("expires_at", "bigint")
		.addColumn("last_used_at", "bigint")
		.addColumn("revoked_at", "bigint")
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.execute();
	await db.schema.createIndex("api_tokens_by_user").on("api_tokens").column("user_id").execute();
}

async function createOrganizations({ db }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("organizations")
		.addColumn("id", "text", (column) => column.primaryKey())
		.addColumn("slug", "text", (column) => column.notNull().unique())
		.addColumn("name", "text", (column) => column.notNull())
		.addColumn("is_personal", "integer", (column) => column.notNull())
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("plan_tier", "text", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("updated_at", "bigint", (column) => column.notNull())
		.execute();
	await db.schema
		.createTable("organization_members")
		.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
		.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
		.addColumn("role", "text", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addPrimaryKeyConstraint("organization_members_key", ["organization_id", "user_id"])
		.execute();
	await db.schema.createIndex("organization_members_by_user").on("organization_members").column("user_id").execute();
}

async function createSites({ db }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("sites")
		.addColumn("id", "text", (column) => column.primaryKey())
		.addColumn("organization_id", "text", (column) => column.notNull().references("organizations.id"))
		.addColumn("name", "text", (column) => column.notNull())
		.addColumn("timezone", "text", (column) => column.notNull())
		.addColumn("currency", "text", (column) => column.notNull())
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("bot_threshold", "integer", (column) => column.notNull())
		.addColumn("created_by", "integer", (column) => column.references("users.id"))
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("updated_at", "bigint")
		.execute();
	await db.schema.createIndex("sites_by_organization").on("sites").column("organization_id").execute();
	await db.schema
		.createTable("site_members")
		.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
		.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
		.addColumn("role", "text", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addPrimaryKeyConstraint("site_members_key", ["site_id", "user_id"])
		.execute();
	await db.schema.createIndex("site_members_by_user").on("site_members").column("user_id").execute();
}

async function createSiteSettings({ db, autoId }: MigrationContext): Promise<void> {
	await db.schema
		.createTable("site_domains")
		.addColumn("id", "integer", autoId)
		.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
		.addColumn("domain", "text", (column) => column.notNull())
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addUniqueConstraint("site_domains_key", ["site_id", "domain"])
		.execute();
	await db.schema
		.createTable("utm_mappings")
		.addColumn("id", "integer", autoId)
		.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
		.addColumn("custom_param", "text", (column) => column.notNull())
		.addColumn("maps_to", "text", (column) => column.notNull())
		.addColumn("is_active", "integer", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addUniqueConstraint("utm_mappings_key", ["site_id", "custom_param"])
		.execute();
}
