import type { Expression, ExpressionBuilder, SqlBool } from "kysely";
import { type NewRow, type Row, type Tables, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { textsOf } from "../../../platform/metadata/texts-of.ts";

/** An entry with its author; both are null for the system. */
export type EntryRow = Row<"audit_log"> & {
	readonly user_email: string | null;
	readonly user_name: string | null;
	readonly account_id: string | null;
};

export interface AuditView {
	readonly userId: number;
	/** Organizations of which the reader sees everything; null = all there are. */
	readonly organizationIds: readonly string[] | null;
}

/** Which entries are asked for; times in milliseconds, both ends included. */
export interface AuditFilter {
	readonly action?: string | undefined;
	readonly resourceType?: string | undefined;
	/** Author, or the superadmin who acted as the author. */
	readonly userId?: number | undefined;
	readonly siteId?: string | undefined;
	/** Entries of the organization: its own and those of its sites. */
	readonly organizationId?: string | undefined;
	/** Sites that the reader's address shuts: their entries are left out. */
	readonly shutSiteIds: readonly string[];
	readonly fromMs?: number | undefined;
	readonly toMs?: number | undefined;
}

export async function insertEntry(metadata: Metadata, row: NewRow<"audit_log">): Promise<void> {
	const { site_id: siteId } = row;
	const db = tables(metadata);
	const owner =
		siteId === null || siteId === undefined
			? undefined
			: db.selectFrom("sites").select("sites.organization_id").where("sites.id", "=", siteId);
	await db
		.insertInto("audit_log")
		.values({ ...row, ...(owner !== undefined && { organization_id: owner }) })
		.execute();
}

/** One page of entries, newest first, and how many there are in all. */
export async function selectEntries(
	metadata: Metadata,
	view: AuditView,
	filter: AuditFilter,
	page: { readonly limit: number; readonly offset: number },
): Promise<{ readonly rows: EntryRow[]; readonly total: number }> {
	const db = tables(metadata);
	const chosen = (isPart: Part) =>
		db.selectFrom("audit_log").where((query) => query.and([isPart(query), ...asked(query, filter, metadata)]));
	const parts = partsOf(view);
	const counted = await chosen((query) => query.or(parts.map((isPart) => isPart(query))))
		.select((query) => query.fn.countAll<number>().as("total"))
		.executeTakeFirstOrThrow();
	const total = Number(counted.total);
	if (total <= page.offset) return { rows: [], total };
	const newestOf = (isPart: Part) =>
		db
			.selectFrom(
				chosen(isPart)
					.select(["audit_log.id", "audit_log.created_at"])
					.orderBy("audit_log.created_at", "desc")
					.orderBy("audit_log.id", "desc")
					.limit(page.offset + page.limit)
					.as("part"),
			)
			.select("part.id");
	const [first, ...others] = parts.map(newestOf);
	if (first === undefined) return { rows: [], total };
	const rows = await db
		.selectFrom(others.reduce((union, next) => union.unionAll(next), first).as("newest"))
		.innerJoin("audit_log", "audit_log.id", "newest.id")
		.leftJoin("users", "users.id", "audit_log.user_id")
		.selectAll("audit_log")
		.select(["users.email as user_email", "users.name as user_name", "audit_log.site_id as account_id"])
		.orderBy("audit_log.created_at", "desc")
		.orderBy("audit_log.id", "desc")
		.limit(page.limit)
		.offset(page.offset)
		.execute();
	return { rows, total };
}

type Query = ExpressionBuilder<Tables, "audit_log">;

type Part = (query: Query) => Expression<SqlBool>;

/**
 * Entries that a reader sees, as disjoint parts, each with an index in order of time: with all of them in one
 * condition, SQLite would read and sort every entry for a page of fifty. An entry about a site or an organization
 * belongs to that organization, whoever is its author; any other one, such as a sign-in, to the organizations of its
 * author. Authors see all of their own entries.
 */
function partsOf({ userId, organizationIds }: AuditView): Part[] {
	if (organizationIds === null) return [(query) => query.lit(true)];
	const byOthers: Part = (query) =>
		query.and([
			query("audit_log.user_id", "is distinct from", userId),
			query("audit_log.impersonator_id", "is distinct from", userId),
		]);
	const own: Part[] = [
		(query) => query("audit_log.user_id", "=", userId),
		(query) =>
			query.and([
				query("audit_log.impersonator_id", "=", userId),
				query("audit_log.user_id", "is distinct from", userId),
			]),
	];
	if (organizationIds.length === 0) return own;
	const ofOrganizations = inGroups(organizationIds).map(
		(ids): Part =>
			(query) =>
				query.and([query("audit_log.organization_id", "in", ids), byOthers(query)]),
	);
	const ofMembers: Part = (query) =>
		query.and([
			query("audit_log.organization_id", "is", null),
			query("audit_log.site_id", "is", null),
			query("audit_log.user_id", "in", membersOf(query, organizationIds)),
			byOthers(query),
		]);
	return [...own, ...ofOrganizations, ofMembers];
}

/** SQLite joins at most 500 parts. */
const MOST_GROUPS = 100;

/** Each organization by itself; of those who have very many, some share a part, which has to be sorted then. */
function inGroups(ids: readonly string[]): string[][] {
	const size = Math.ceil(ids.length / MOST_GROUPS);
	return Array.from({ length: Math.ceil(ids.length / size) }, (_, group) =>
		ids.slice(group * size, (group + 1) * size),
	);
}

const membersOf = (query: Query, organizationIds: readonly string[]) =>
	query
		.selectFrom("organization_members")
		.select("organization_members.user_id")
		.where("organization_members.organization_id", "in", organizationIds);

function asked(query: Query, filter: AuditFilter, metadata: Metadata): Expression<SqlBool>[] {
	const { action, resourceType, userId, siteId, organizationId, shutSiteIds, fromMs, toMs } = filter;
	return [
		...(action === undefined ? [] : [query("audit_log.action", "=", action)]),
		...(resourceType === undefined ? [] : [query("audit_log.resource_type", "=", resourceType)]),
		...(userId === undefined ? [] : [isBy(query, userId)]),
		...(siteId === undefined ? [] : [query("audit_log.site_id", "=", siteId)]),
		...(organizationId === undefined ? [] : [query("audit_log.organization_id", "=", organizationId)]),
		...(shutSiteIds.length === 0 ? [] : [isElsewhere(query, textsOf(metadata, shutSiteIds))]),
		...(fromMs === undefined ? [] : [query("audit_log.created_at", ">=", fromMs)]),
		...(toMs === undefined ? [] : [query("audit_log.created_at", "<=", toMs)]),
	];
}

const isElsewhere = (query: Query, siteIds: Expression<string>): Expression<SqlBool> =>
	query.or([query("audit_log.site_id", "is", null), query("audit_log.site_id", "not in", siteIds)]);

const isBy = (query: Query, userId: number): Expression<SqlBool> =>
	query.or([query("audit_log.user_id", "=", userId), query("audit_log.impersonator_id", "=", userId)]);

/** Drops the entries that are older than two years; answers how many. */
export async function dropOldEntries(deps: { readonly metadata: Metadata; readonly clock: Clock }): Promise<number> {
	const before = new Date(deps.clock.now());
	before.setUTCFullYear(before.getUTCFullYear() - 2);
	const { numDeletedRows } = await tables(deps.metadata)
		.deleteFrom("audit_log")
		.where("created_at", "<", before.getTime())
		.executeTakeFirst();
	return Number(numDeletedRows);
}
