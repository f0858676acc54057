import type { Metadata } from "../../src/platform/metadata/metadata.ts";

/** A recorded change, with who made it and for whom. */
interface Recorded {
	readonly action: string;
	readonly user: number | null;
	readonly impersonator: number | null;
	readonly resource: string | null;
	readonly details: unknown;
}

type Tables = {
	audit_log: {
		id: number;
		action: string;
		user_id: number | null;
		impersonator_id: number | null;
		resource_id: string | null;
		details: string;
	};
};

/** The audit entries of some actions, oldest first. */
export async function auditTrail(app: { metadata: Metadata }, ...actions: readonly string[]): Promise<Recorded[]> {
	const rows = await app.metadata
		.withTables<Tables>()
		.selectFrom("audit_log")
		.selectAll()
		.where("action", "in", actions)
		.orderBy("id")
		.execute();
	return rows.map((row) => ({
		action: row.action,
		user: row.user_id,
		impersonator: row.impersonator_id,
		resource: row.resource_id,
		details: JSON.parse(row.details),
	}));
}
