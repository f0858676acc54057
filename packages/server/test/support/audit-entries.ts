import type { Metadata } from "../../src/platform/metadata/metadata.ts";

type AuditTables = {
	audit_log: {
		id: number;
		action: string;
		user_id: number | null;
		resource_id: string | null;
		site_id: string | null;
		organization_id: string | null;
		details: string;
	};
};

/** Entries of the audit log whose action matches a pattern of SQL's `like`, oldest first. */
export async function auditEntries(metadata: Metadata, pattern: string) {
	const rows = await metadata
		.withTables<AuditTables>()
		.selectFrom("audit_log")
		.select(["action", "user_id", "resource_id", "site_id", "organization_id", "details"])
		.where("action", "like", pattern)
		.orderBy("id")
		.execute();
	return rows.map((row) => ({ ...row, details: JSON.parse(row.details) as Record<string, unknown> }));
}
