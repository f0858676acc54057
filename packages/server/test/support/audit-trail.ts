import type { Tables } from "../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";

/**
 * Recorded changes of some actions, oldest first, with who made them and for whom; `member.` stands for all that begin so, no action
 * for every entry.
 */
export async function auditTrail({ metadata }: { metadata: Metadata }, ...actions: readonly string[]) {
	const rows = await metadata.withTables<Tables>().selectFrom("audit_log").selectAll().orderBy("id").execute();
	const isAsked = (action: string) =>
		actions.length === 0 ||
		actions.some((asked) => (asked.endsWith(".") ? action.startsWith(asked) : action === asked));
	return rows
		.filter(({ action }) => isAsked(action))
		.map((row) => ({
			action: row.action as string,
			user: row.user_id,
			impersonator: row.impersonator_id,
			resource: row.resource_id,
			site: row.site_id,
			organization: row.organization_id,
			details: JSON.parse(row.details) as Readonly<Record<string, unknown>>,
		}));
}
