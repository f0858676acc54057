import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type PageRequest, pageOf } from "../../../platform/metadata/page-of.ts";

export const exports = tableOf("exports");

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
export const workingStates = ["pending", "estimating", "generating"] as const satisfies readonly ExportStatus[];

const removableStates = ["pending", "completed", "failed", "expired"] as const satisfies readonly ExportStatus[];

export type ExportRow = Row<"exports">;

const selectExports = (metadata: Metadata) => tables(metadata).selectFrom("exports").selectAll();

type Changes = Partial<Omit<ExportRow, "id" | "job_id" | "site_id" | "status">>;

export async function listExports(
	metadata: Metadata,
	siteId: string,
	request: PageRequest & { readonly includeExpired: boolean },
) {
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

/** The exports of a site and of all that have a file or get one; the bytes are those of finished files. */
export async function selectKept(metadata: Metadata, siteId: string) {
	const all = tables(metadata)
		.selectFrom("exports")
		.select((query) => [
			query.fn.countAll<number>().as("files"),
			query.fn.sum<number | null>("file_size_bytes").as("bytes"),
		])
		.where("status", "in", [...workingStates, "completed"]);
	const kept = async (query: typeof all) => {
		const { files, bytes } = await query.executeTakeFirstOrThrow();
		return { files: Number(files), bytes: Number(bytes ?? 0) };
	};
	return { ofSite: await kept(all.where("site_id", "=", siteId)), ofAll: await kept(all) };
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
	const where = { job_id: jobId, status: statesBefore(to), ...(file !== undefined && { file_name: file }) };
	return exports.update(metadata, where, { ...changes, status: to });
}

/** Changes an export while it is being made; with `file` only while that is the file. False when it is no longer. */
export async function updateGenerating(metadata: Metadata, jobId: string, changes: Changes, file?: string) {
	const where = { job_id: jobId, status: "generating" as const, ...(file !== undefined && { file_name: file }) };
	return (await exports.update(metadata, where, changes)) !== undefined;
}

/** Removes an export that is not being made; undefined when it is, or gone. */
export const deleteExport = (metadata: Metadata, jobId: string): Promise<ExportRow | undefined> =>
	exports.delete(metadata, { job_id: jobId, status: removableStates });

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
