import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";

/** A recorded change, with who made it and for whom. */
interface Recorded {
	readonly action: string;
	readonly user: number | null;
	readonly impersonator: number | null;
	readonly resource: string | null;
	readonly site: string | null;
	readonly organization: string | null;
	readonly details: Readonly<Record<string, unknown>>;
}

/** The audit entries of some actions, oldest first; `member.` stands for all that begin so, no action for every entry. */
export async function auditTrail(app: { metadata: Metadata }, ...actions: readonly string[]): Promise<Recorded[]> {
	const rows = await app.metadata.withTables<Tables>().selectFrom("audit_log").selectAll().orderBy("id").execute();
	const isAsked = (action: string) =>
		actions.length === 0 ||
		actions.some((asked) => (asked.endsWith(".") ? action.startsWith(asked) : action === asked));
	return rows
		.filter(({ action }) => isAsked(action))
		.map((row) => ({
			action: row.action,
			user: row.user_id,
			impersonator: row.impersonator_id,
			resource: row.resource_id,
			site: row.site_id,
			organization: row.organization_id,
			details: JSON.parse(row.details),
		}));
}
