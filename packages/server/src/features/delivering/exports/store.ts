import { type NewRow, type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";

/** States of an export with the states before them; other transitions are impossible. */
const reachedFrom = {
	pending: [],
	estimating: ["pending"],
	generating: ["estimating"],
	completed: ["generating"],
	failed: ["generating"],
	expired: ["completed"],
} as const satisfies Record<string, readonly string[]>;

export type ExportStatus = keyof typeof reachedFrom;

export const exportStatuses = Object.keys(reachedFrom) as ExportStatus[];

const statesBefore = (status: ExportStatus): readonly ExportStatus[] => reachedFrom[status];

/** States in which an export takes one of the places of its plan. */
const workingStates = ["pending", "estimating", "generating"] as const satisfies readonly ExportStatus[];

/** States in which an export may be removed. */
const removableStates = ["pending", "completed", "failed", "expired"] as const satisfies readonly ExportStatus[];

export type ExportRow = Row<"exports">;

const selectExports = (metadata: Metadata) => tables(metadata).selectFrom("exports").selectAll();

type Changes = Partial<Omit<ExportRow, "id" | "job_id" | "site_id" | "status">>;

export const insertExport = (metadata: Metadata, row: NewRow<"exports">): Promise<ExportRow> =>
	tables(metadata).insertInto("exports").values(row).returningAll().executeTakeFirstOrThrow();

export const findExport = (metadata: Metadata, jobId: string): Promise<ExportRow | undefined> =>
	selectExports(metadata).where("job_id", "=", jobId).executeTakeFirst();

export const findSiteExport = (metadata: Metadata, siteId: string, jobId: string): Promise<ExportRow | undefined> =>
	selectExports(metadata).where("site_id", "=", siteId).where("job_id", "=", jobId).executeTakeFirst();

/** A completed export by the hash of its download token. */
export const findExportByToken = (metadata: Metadata, hash: string): Promise<ExportRow | undefined> =>
	selectExports(metadata).where("download_token_hash", "=", hash).where("status", "=", "completed").executeTakeFirst();

interface ListRequest extends PageRequest {
	readonly includeExpired: boolean;
}

/** Exports of the site, newest first, and the number of all. */
export async function listExports(metadata: Metadata, siteId: string, request: ListRequest) {
	const all = tables(metadata).selectFrom("exports").where("site_id", "=", siteId);
	const shown = request.includeExpired ? all : all.where("status", "!=", "expired");
	return pageOf(shown, (query) => query.selectAll().orderBy("id", "desc"), request);
}

/** Exports of the site about any of some days that were asked for until a moment. */
export function selectExportsOf(
	metadata: Metadata,
	siteId: string,
	{ from, to }: { readonly from: string | null; readonly to: string | null },
	until: number,
): Promise<ExportRow[]> {
	let query = selectExports(metadata).where("site_id", "=", siteId).where("created_at", "<=", until);
	if (from !== null) query = query.where("date_to", ">=", from);
	if (to !== null) query = query.where("date_from", "<=", to);
	return query.execute();
}

interface Kept {
	readonly files: number;
	readonly bytes: number;
}

/** The exports of a site and of all that have a file or get one; the bytes are those of finished files. */
export async function selectKept(
	metadata: Metadata,
	siteId: string,
): Promise<{ readonly ofSite: Kept; readonly ofAll: Kept }> {
	const all = tables(metadata)
		.selectFrom("exports")
		.select((query) => [
			query.fn.countAll<number>().as("files"),
			query.fn.sum<number | null>("file_size_bytes").as("bytes"),
		])
		.where("status", "in", [...workingStates, "completed"]);
	const kept = async (query: typeof all): Promise<Kept> => {
		const { files, bytes } = await query.executeTakeFirstOrThrow();
		return { files: Number(files), bytes: Number(bytes ?? 0) };
	};
	return { ofSite: await kept(all.where("site_id", "=", siteId)), ofAll: await kept(all) };
}

/** Exports of the organization that take a place of its plan; exact under the organization's lock. */
export async function countWorking(metadata: Metadata, organizationId: string): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("exports")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("organization_id", "=", organizationId)
		.where("status", "in", workingStates)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/**
 * Moves an export to another state, if it is in one that leads there; with `file` only while that is the file being made.
 * Undefined when it is in another state, or gone.
 */
export function moveExport(
	metadata: Metadata,
	jobId: string,
	to: ExportStatus,
	changes: Changes = {},
	file?: string,
): Promise<ExportRow | undefined> {
	const query = tables(metadata)
		.updateTable("exports")
		.set({ ...changes, status: to })
		.where("job_id", "=", jobId)
		.where("status", "in", statesBefore(to));
	return (file === undefined ? query : query.where("file_name", "=", file)).returningAll().executeTakeFirst();
}

/** Changes an export while it is being made; with `file` only while that is the file. False when it is no longer. */
export async function updateGenerating(
	metadata: Metadata,
	jobId: string,
	changes: Changes,
	file?: string,
): Promise<boolean> {
	const query = tables(metadata)
		.updateTable("exports")
		.set(changes)
		.where("job_id", "=", jobId)
		.where("status", "=", "generating");
	const rows = await (file === undefined ? query : query.where("file_name", "=", file)).returning("id").execute();
	return rows.length > 0;
}

/** Removes an export that is not being made; undefined when it is, or gone. */
export const deleteExport = (metadata: Metadata, jobId: string): Promise<ExportRow | undefined> =>
	tables(metadata)
		.deleteFrom("exports")
		.where("job_id", "=", jobId)
		.where("status", "in", removableStates)
		.returningAll()
		.executeTakeFirst();

/** Ends the links that have run out by a moment, of a site or of all; the exports whose files are no longer offered. */
export function expireExports(metadata: Metadata, nowMs: number, siteId?: string): Promise<ExportRow[]> {
	const query = tables(metadata)
		.updateTable("exports")
		.set({ status: "expired", download_token_hash: null, download_token: null })
		.where("status", "in", statesBefore("expired"))
		.where("download_expires_at", "<=", nowMs);
	return (siteId === undefined ? query : query.where("site_id", "=", siteId)).returningAll().execute();
}

/** Forgets exports that ended without a file or whose file is gone, if they began before a moment. */
export async function forgetExports(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("exports")
		.where("status", "in", ["failed", "expired"])
		.where("created_at", "<", before)
		.execute();
}
