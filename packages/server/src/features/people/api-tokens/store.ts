import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";

export type TokenRow = Row<"api_tokens">;

export const insertToken = (metadata: Metadata, row: Omit<TokenRow, "id">): Promise<TokenRow> =>
	tables(metadata).insertInto("api_tokens").values(row).returningAll().executeTakeFirstOrThrow();

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

export const findToken = (metadata: Metadata, userId: number, id: number): Promise<TokenRow | undefined> =>
	tables(metadata)
		.selectFrom("api_tokens")
		.selectAll()
		.where("id", "=", id)
		.where("user_id", "=", userId)
		.executeTakeFirst();

/** Revokes a key; false when there is none, or it is revoked already. */
export async function revokeTokenRow(metadata: Metadata, userId: number, id: number, nowMs: number): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("api_tokens")
		.set({ revoked_at: nowMs })
		.where("id", "=", id)
		.where("user_id", "=", userId)
		.where("revoked_at", "is", null)
		.returning("id")
		.execute();
	return rows.length === 1;
}

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

export const listActiveTokens = (metadata: Metadata, userId: number) =>
	tables(metadata)
		.selectFrom("api_tokens")
		.select(["id", "site_ids"])
		.where("user_id", "=", userId)
		.where("revoked_at", "is", null)
		.execute();

export async function siteIdsOf(metadata: Metadata, organizationId: string): Promise<string[]> {
	const sites = tables(metadata).selectFrom("sites").select("id").where("organization_id", "=", organizationId);
	return (await sites.execute()).map(({ id }) => id);
}

/** Everybody with a role in the organization or on one of its sites. */
export async function peopleOf(metadata: Metadata, organizationId: string): Promise<ReadonlySet<number>> {
	const members = await tables(metadata)
		.selectFrom("organization_members")
		.select("user_id")
		.where("organization_id", "=", organizationId)
		.execute();
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
