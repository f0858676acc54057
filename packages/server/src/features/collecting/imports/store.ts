import type { ExpressionBuilder } from "kysely";
import { type NewRow, type Row, type Tables, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";

/** States of an import with the states before them; other transitions are impossible. */
const reachedFrom = {
	pending: [],
	validating: ["pending", "validating"],
	validated: ["validating"],
	importing: ["validated", "importing"],
	completed: ["importing"],
	failed: ["pending", "validating", "validated", "importing"],
	cancelled: ["pending", "validating", "validated", "importing"],
	undone: ["completed", "failed"],
} as const satisfies Record<string, readonly string[]>;

type ImportStatus = keyof typeof reachedFrom;

export const importStatuses = Object.keys(reachedFrom) as ImportStatus[];

const unfinishedStates: readonly ImportStatus[] = ["pending", "validating", "importing", "validated"];

export const isUnfinished = ({ status }: Pick<Row<"imports">, "status">): boolean => unfinishedStates.includes(status);

export type ImportRow = Row<"imports">;

type Changes = Partial<Omit<ImportRow, "id" | "import_id" | "site_id" | "status">>;

export const insertImport = (metadata: Metadata, row: NewRow<"imports">): Promise<ImportRow> =>
	tables(metadata).insertInto("imports").values(row).returningAll().executeTakeFirstOrThrow();

/** An import by its id, whatever its site. */
export const findImport = (metadata: Metadata, importId: string): Promise<ImportRow | undefined> =>
	tables(metadata).selectFrom("imports").selectAll().where("import_id", "=", importId).executeTakeFirst();

export const findSiteImport = (metadata: Metadata, siteId: string, importId: string): Promise<ImportRow | undefined> =>
	tables(metadata)
		.selectFrom("imports")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("import_id", "=", importId)
		.executeTakeFirst();

export async function listImports(metadata: Metadata, siteId: string, page: PageRequest) {
	const all = tables(metadata).selectFrom("imports").where("site_id", "=", siteId);
	return pageOf(all, (query) => query.selectAll().orderBy("id", "desc"), page);
}

export const importsOf = (metadata: Metadata, siteId: string): Promise<ImportRow[]> =>
	tables(metadata).selectFrom("imports").selectAll().where("site_id", "=", siteId).orderBy("id").execute();

export async function countUnfinished(metadata: Metadata, siteId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("imports")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("site_id", "=", siteId)
		.where("status", "in", unfinishedStates)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** How many imports but this one have rows, or are to get some, and their months: of a site, or of all. */
export async function keptImports(
	metadata: Metadata,
	except: string,
	siteId?: string,
): Promise<{ readonly count: number; readonly partitions: number }> {
	const { count, partitions } = await tables(metadata)
		.selectFrom("imports")
		.select(({ fn }) => [fn.countAll<number>().as("count"), fn.sum<number | null>("partitions").as("partitions")])
		.where("import_id", "!=", except)
		.$if(siteId !== undefined, (query) => query.where("site_id", "=", siteId ?? ""))
		.where(hasRows)
		.executeTakeFirstOrThrow();
	return { count: Number(count), partitions: Number(partitions ?? 0) };
}

/** True of an import whose rows are there, or are going to be. */
const hasRows = ({ or, and, eb }: ExpressionBuilder<Tables, "imports">) =>
	and([
		eb("dry_run", "=", 0),
		or([
			eb("status", "in", [...unfinishedStates, "completed"]),
			and([eb("status", "=", "failed"), eb("partitions", ">", 0)]),
		]),
	]);

/** Another import of the same file whose rows are there, or are going to be. */
export const findImported = (
	metadata: Metadata,
	{ siteId, sha256, besides }: { readonly siteId: string; readonly sha256: string; readonly besides?: string },
): Promise<ImportRow | undefined> =>
	tables(metadata)
		.selectFrom("imports")
		.selectAll()
		.where("site_id", "=", siteId)
		.where("file_sha256", "=", sha256)
		.where("import_id", "!=", besides ?? "")
		.where(hasRows)
		.executeTakeFirst();

/** Moves an import to a state that its state leads to, with `attempt` only while that run works on it; else undefined. */
export function moveImport(
	metadata: Metadata,
	importId: string,
	to: ImportStatus,
	changes: Changes = {},
	attempt?: string,
): Promise<ImportRow | undefined> {
	const query = tables(metadata)
		.updateTable("imports")
		.set({ ...changes, status: to })
		.where("import_id", "=", importId)
		.where("status", "in", reachedFrom[to]);
	return (attempt === undefined ? query : query.where("attempt", "=", attempt)).returningAll().executeTakeFirst();
}

/** Changes an import while a run works on it; false when it does no longer. */
export async function updateRunning(
	metadata: Metadata,
	importId: string,
	attempt: string,
	changes: Changes,
): Promise<boolean> {
	const rows = await tables(metadata)
		.updateTable("imports")
		.set(changes)
		.where("import_id", "=", importId)
		.where("attempt", "=", attempt)
		.where("status", "in", ["validating", "importing"])
		.returning("id")
		.execute();
	return rows.length > 0;
}

export async function updateEnded(metadata: Metadata, importId: string, changes: Changes): Promise<void> {
	await tables(metadata).updateTable("imports").set(changes).where("import_id", "=", importId).execute();
}

/** Removes what is known of an import; false when it is gone or in another state. */
export async function deleteImport(
	metadata: Metadata,
	importId: string,
	inStates: readonly ImportStatus[],
): Promise<boolean> {
	const rows = await tables(metadata)
		.deleteFrom("imports")
		.where("import_id", "=", importId)
		.where("status", "in", inStates)
		.returning("id")
		.execute();
	return rows.length > 0;
}

/** Imports whose rows were never asked for, made before a moment. */
export const selectForgotten = (metadata: Metadata, before: number): Promise<ImportRow[]> =>
	tables(metadata)
		.selectFrom("imports")
		.selectAll()
		.where("status", "=", "validated")
		.where("created_at", "<", before)
		.execute();
