import type { Transaction } from "kysely";
import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** Apps that ask for access, what they were given, and the sessions of those who sign up on the way. */
export const oauth: MetadataMigration = {
	name: "0016-oauth",
	up: async ({ db }) => {
		await db.schema.alterTable("sessions").addColumn("bound_request", "text").execute();
		await createClients(db);
		await createRequests(db);
		await createGrants(db);
		await createSecrets(db);
	},
};

async function createClients(db: Transaction<unknown>): Promise<void> {
	await db.schema
		.createTable("oauth_clients")
		.addColumn("id", "text", (column) => column.primaryKey())
		.addColumn("name", "text", (column) => column.notNull())
		.addColumn("redirect_uris", "text", (column) => column.notNull())
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("last_used_at", "bigint")
		.execute();
	await db.schema
		.createIndex("oauth_clients_by_use")
		.on("oauth_clients")
		.columns(["last_used_at", "created_at"])
		.execute();
}

async function createRequests(db: Transaction<unknown>): Promise<void> {
	await db.schema
		.createTable("oauth_requests")
		.addColumn("id_hash", "text", (column) => column.primaryKey())
		.addColumn("client_id", "text", (column) => column.notNull())
		.addColumn("client_name", "text", (column) => column.notNull())
		.addColumn("redirect_uri", "text", (column) => column.notNull())
		.addColumn("scopes", "text", (column) => column.notNull())
		.addColumn("state", "text")
		.addColumn("code_challenge", "text", (column) => column.notNull())
		.addColumn("audience", "text")
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("expires_at", "bigint", (column) => column.notNull())
		.addColumn("decided_at", "bigint")
		.execute();
	await db.schema.createIndex("oauth_requests_by_end").on("oauth_requests").column("expires_at").execute();
}

async function createGrants(db: Transaction<unknown>): Promise<void> {
	await db.schema
		.createTable("oauth_grants")
		.addColumn("id", "text", (column) => column.primaryKey())
		.addColumn("user_id", "integer", (column) => column.notNull().references("users.id"))
		.addColumn("client_id", "text", (column) => column.notNull())
		.addColumn("client_name", "text", (column) => column.notNull())
		.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
		.addColumn("scopes", "text", (column) => column.notNull())
		.addColumn("audience", "text")
		.addColumn("created_at", "bigint", (column) => column.notNull())
		.addColumn("last_used_at", "bigint")
		.addColumn("expires_at", "bigint", (column) => column.notNull())
		.addColumn("revoked_at", "bigint")
		.execute();
	await db.schema.createIndex("oauth_grants_by_user").on("oauth_grants").columns(["user_id", "created_at"]).execute();
	await db.schema.createIndex("oauth_grants_by_client").on("oauth_grants").column("client_id").execute();
	await db.schema.createIndex("oauth_grants_by_end").on("oauth_grants").column("expires_at").execute();
}

async function createSecrets(db: Transaction<unknown>): Promise<void> {
	await db.schema
		.createTable("oauth_codes")
		.addColumn("code_hash", "text", (column) => column.primaryKey())
		.addColumn("grant_id", "text", (column) => column.notNull().references("oauth_grants.id"))
		.addColumn("redirect_uri", "text", (column) => column.notNull())
		.addColumn("code_challenge", "text", (column) => column.notNull())
		.addColumn("expires_at", "bigint", (column) => column.notNull())
		.addColumn("used_at", "bigint")
		.execute();
	await db.schema.createIndex("oauth_codes_by_grant").on("oauth_codes").column("grant_id").execute();
	await db.schema
		.createTable("oauth_tokens")
		.addColumn("token_hash", "text", (column) => column.primaryKey())
		.addColumn("kind", "text", (column) => column.notNull())
		.addColumn("grant_id", "text", (column) => column.notNull().references("oauth_grants.id"))
		.addColumn("expires_at", "bigint", (column) => column.notNull())
		.addColumn("used_at", "bigint")
		.execute();
	await db.schema.createIndex("oauth_tokens_by_grant").on("oauth_tokens").column("grant_id").execute();
	await db.schema.createIndex("oauth_tokens_by_end").on("oauth_tokens").column("expires_at").execute();
}
