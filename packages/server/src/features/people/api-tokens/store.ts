import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";

export type TokenRow = Row<"api_tokens">;

export const tokensTable = tableOf("api_tokens");
export const sitesTable = tableOf("sites");

/** The owner's keys, newest first; revoked and expired ones only on request. */
export async function listTokens(
	metadata: Metadata,
	userId: number,
	filter: { includeInactive: boolean; nowMs: number },
): Promise<TokenRow[]> {
	let query = tables(metadata).selectFrom("api_tokens").selectAll().where("user_id", "=", userId);
	if (!filter.includeInactive) {
		query = query
			.where("revoked_at", "is", null)
			.where((test) => test.or([test("expires_at", "is", null), test("expires_at", ">", filter.nowMs)]));
	}
	return query.orderBy("id", "desc").execute();
}

/** Revokes a key; undefined when there is none, or it is revoked already. */
export const revokeTokenRow = (metadata: Metadata, userId: number, id: number, nowMs: number) =>
	tokensTable.update(metadata, { id, user_id: userId, revoked_at: null }, { revoked_at: nowMs });

/** Users see their revoked and expired keys for a year. */
const KEPT_MS = 365 * DAY_MS;

/** Removes keys that were revoked or expired more than a year ago. */
export async function dropEndedTokens({ metadata, clock }: ChangeDeps): Promise<void> {
	const before = clock.now() - KEPT_MS;
	await tables(metadata)
		.deleteFrom("api_tokens")
		.where((test) => test.or([test("revoked_at", "<", before), test("expires_at", "<", before)]))
		.execute();
}

/** Everybody with a role in the organization or on one of its sites. */
export async function peopleOf(metadata: Metadata, organizationId: string): Promise<ReadonlySet<number>> {
	const members = await tableOf("organization_members").list(metadata, { organization_id: organizationId });
	const guests = await tables(metadata)
		.selectFrom("site_members")
		.innerJoin("sites", "sites.id", "site_members.site_id")
		.select("site_members.user_id")
		.where("sites.organization_id", "=", organizationId)
		.execute();
	return new Set([...members, ...guests].map(({ user_id: id }) => id));
}

/** Whether a user is a member of an active organization. */
export async function belongsSomewhere(metadata: Metadata, userId: number): Promise<boolean> {
	const row = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("organizations", "organizations.id", "organization_members.organization_id")
		.select("organizations.id")
		.where("organization_members.user_id", "=", userId)
		.where("organizations.is_active", "=", 1)
		.executeTakeFirst();
	return row !== undefined;
}
