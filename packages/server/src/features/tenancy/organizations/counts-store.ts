import { tables } from "../../../../migrations/metadata/tables/index.ts";
import type { OrgRole } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

/** A statement holds a limited number of values; the many organizations of a superadmin are counted all together. */
const FEW = 500;

interface Count {
	readonly organization_id: string;
	readonly count: number;
}

const countsOf = (rows: readonly Count[]): ReadonlyMap<string, number> =>
	new Map(rows.map((row) => [row.organization_id, Number(row.count)]));

/** Members of each organization; one without any may be left out, and others may be there. */
export async function countMembersOfEach(
	metadata: Metadata,
	ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
	let query = tables(metadata)
		.selectFrom("organization_members")
		.select((select) => ["organization_id", select.fn.countAll<number>().as("count")])
		.groupBy("organization_id");
	if (ids.length <= FEW) query = query.where("organization_id", "in", ids);
	return countsOf(await query.execute());
}

/** Active sites of each organization; one without any may be left out, and others may be there. */
export async function countActiveSitesOfEach(
	metadata: Metadata,
	ids: readonly string[],
): Promise<ReadonlyMap<string, number>> {
	let query = tables(metadata)
		.selectFrom("sites")
		.select((select) => ["organization_id", select.fn.countAll<number>().as("count")])
		.where("is_active", "=", 1)
		.groupBy("organization_id");
	if (ids.length <= FEW) query = query.where("organization_id", "in", ids);
	return countsOf(await query.execute());
}

/** The roles of a user by organization. */
export async function rolesOf(metadata: Metadata, userId: number): Promise<ReadonlyMap<string, OrgRole>> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.select(["organization_id", "role"])
		.where("user_id", "=", userId)
		.execute();
	return new Map(rows.map((row) => [row.organization_id, row.role]));
}
