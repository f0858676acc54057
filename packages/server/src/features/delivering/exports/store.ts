import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

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

/** States in which an export takes one of the places of its plan. */
export const workingStates = ["pending", "estimating", "generating"] as const satisfies readonly ExportStatus[];

const removableStates = ["pending", "completed", "failed", "expired"] as const satisfies readonly ExportStatus[];

export type ExportRow = Row<"exports">;

type Changes = Partial<Omit<ExportRow, "id" | "job_id" | "site_id" | "status">>;

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
	const where = { job_id: jobId, status: reachedFrom[to], ...(file !== undefined && { file_name: file }) };
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
