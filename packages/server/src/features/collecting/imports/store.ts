import type { ExpressionBuilder } from "kysely";
import { type Row, type Tables, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

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

export const unfinishedStates: readonly ImportStatus[] = ["pending", "validating", "importing", "validated"];

export const isUnfinished = ({ status }: Pick<Row<"imports">, "status">): boolean => unfinishedStates.includes(status);

export type ImportRow = Row<"imports">;

type Changes = Partial<Omit<ImportRow, "id" | "import_id" | "site_id" | "status">>;

export const imports = tableOf("imports");

export const findSiteImport = (metadata: Metadata, siteId: string, importId: string): Promise<ImportRow | undefined> =>
	imports.find(metadata, { site_id: siteId, import_id: importId });

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
export const moveImport = (
	metadata: Metadata,
	importId: string,
	to: ImportStatus,
	changes: Changes,
	attempt?: string,
): Promise<ImportRow | undefined> => {
	const where = { import_id: importId, status: reachedFrom[to], ...(attempt !== undefined && { attempt }) };
	return imports.update(metadata, where, { ...changes, status: to });
};

/** Changes an import while a run works on it; undefined when it does no longer. */
export const updateRunning = (metadata: Metadata, importId: string, attempt: string, changes: Changes) =>
	imports.update(metadata, { import_id: importId, attempt, status: ["validating", "importing"] }, changes);
