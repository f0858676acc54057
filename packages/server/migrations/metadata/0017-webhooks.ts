import type { MetadataMigration } from "../../src/platform/metadata/migration.ts";

/** The addresses that events of a site are sent to, what was sent there, and each attempt. */
export const webhooks: MetadataMigration = {
	name: "0017-webhooks",
	up: async ({ db, autoId }) => {
		await db.schema
			.createTable("webhook_endpoints")
			.addColumn("id", "text", (column) => column.primaryKey())
			.addColumn("site_id", "text", (column) => column.notNull().references("sites.id"))
			.addColumn("name", "text", (column) => column.notNull())
			.addColumn("url", "text", (column) => column.notNull())
			.addColumn("event_types", "text", (column) => column.notNull())
			.addColumn("description", "text")
			.addColumn("sealed_headers", "text", (column) => column.notNull())
			.addColumn("sealed_secret", "text", (column) => column.notNull())
			.addColumn("secret_last_4", "text", (column) => column.notNull())
			.addColumn("secret_version", "integer", (column) => column.notNull())
			.addColumn("sealed_previous_secret", "text")
			.addColumn("previous_secret_expires_at", "bigint")
			.addColumn("is_active", "integer", (column) => column.notNull())
			.addColumn("is_verified", "integer", (column) => column.notNull())
			.addColumn("disabled_reason", "text")
			.addColumn("failing_since", "bigint")
			.addColumn("last_delivery_at", "bigint")
			.addColumn("last_success_at", "bigint")
			.addColumn("last_failure_at", "bigint")
			.addColumn("last_failure_reason", "text")
			.addColumn("created_by", "integer")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("updated_at", "bigint")
			.execute();
		await db.schema
			.createIndex("webhook_endpoints_by_site")
			.on("webhook_endpoints")
			.columns(["site_id", "created_at"])
			.execute();
		await db.schema
			.createTable("webhook_deliveries")
			.addColumn("id", "integer", autoId)
			.addColumn("delivery_id", "text", (column) => column.notNull().unique())
			.addColumn("endpoint_id", "text", (column) =>
				column.notNull().references("webhook_endpoints.id").onDelete("cascade"),
			)
			.addColumn("event_id", "text", (column) => column.notNull())
			.addColumn("event_key", "text", (column) => column.unique())
			.addColumn("event_type", "text", (column) => column.notNull())
			.addColumn("payload", "text", (column) => column.notNull())
			.addColumn("payload_size_bytes", "integer", (column) => column.notNull())
			.addColumn("max_attempts", "integer", (column) => column.notNull())
			.addColumn("status", "text", (column) => column.notNull())
			.addColumn("attempt_number", "integer", (column) => column.notNull())
			.addColumn("first_attempt_at", "bigint")
			.addColumn("next_retry_at", "bigint")
			.addColumn("response_status_code", "integer")
			.addColumn("response_headers", "text", (column) => column.notNull())
			.addColumn("response_body", "text")
			.addColumn("response_time_ms", "integer")
			.addColumn("error_type", "text")
			.addColumn("error_message", "text")
			.addColumn("created_at", "bigint", (column) => column.notNull())
			.addColumn("completed_at", "bigint")
			.execute();
		await db.schema
			.createIndex("webhook_deliveries_by_endpoint")
			.on("webhook_deliveries")
			.columns(["endpoint_id", "id"])
			.execute();
		await db.schema.createIndex("webhook_deliveries_by_age").on("webhook_deliveries").columns(["created_at"]).execute();
		await db.schema
			.createTable("webhook_attempts")
			.addColumn("id", "integer", autoId)
			.addColumn("delivery", "integer", (column) =>
				column.notNull().references("webhook_deliveries.id").onDelete("cascade"),
			)
			.addColumn("attempt_number", "integer", (column) => column.notNull())
			.addColumn("attempted_at", "bigint", (column) => column.notNull())
			.addColumn("request_url", "text", (column) => column.notNull())
			.addColumn("response_status_code", "integer")
			.addColumn("response_time_ms", "integer")
			.addColumn("error_type", "text")
			.addColumn("error_message", "text")
			.addUniqueConstraint("webhook_attempts_once", ["delivery", "attempt_number"])
			.execute();
	},
};
