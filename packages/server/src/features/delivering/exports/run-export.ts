import { type FileContent, fileContent } from "../../../analytics/query/files/file-query.ts";
import { BadQuestion } from "../../../analytics/query/question/bad-question.ts";
import { errorCodes } from "../../../platform/errors/codes.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { FileStoreError } from "../../../platform/files/file-store.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findOrganization, planOf } from "../../tenancy/organizations/index.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import type { ExportDeps } from "./deps.ts";
import { downloadUrl, endedWithSite, newDownload } from "./download-link.ts";
import { exportFormats } from "./export-types.ts";
import { countRows, parseExport, questionOf } from "./parse.ts";
import { removeFileLater } from "./remove-export.ts";
import { type ExportRow, exports, moveExport, selectKept, updateGenerating } from "./store.ts";

/** Files that a site may keep, and all sites together. */
const SITE_FILES = 200;
const ALL_FILES = 10_000;
/** Of the bytes of all sites, one may keep this share. */
const SITE_SHARE = 0.25;
const RETRY_AFTER_SECONDS = HOUR_MS / 1000;

type RoomDeps = Pick<ExportDeps, "metadata" | "files" | "maxBytes">;

const full = (message: string) => new ServiceError("service_unavailable", { message, retryAfter: RETRY_AFTER_SECONDS });

/**
 * Bytes that a file of the site may have, so that files stay within what a site and the server keep, and the disk does not
 * fill up. Throws `quota_exceeded` when the site has no room for another one of so many bytes, `service_unavailable` when the
 * server has none.
 */
export async function roomForFile({ metadata, files, maxBytes }: RoomDeps, siteId: string, bytes: number) {
	const { ofSite, ofAll } = await selectKept(metadata, siteId);
	const ofSiteLeft = maxBytes * SITE_SHARE - ofSite.bytes;
	if (ofSite.files > SITE_FILES || bytes > ofSiteLeft) {
		throw new ServiceError("quota_exceeded", {
			message: "The site has reached its number of export files. Delete some, or wait until they expire",
			retryAfter: RETRY_AFTER_SECONDS,
		});
	}
	const left = Math.min(ofSiteLeft, maxBytes - ofAll.bytes);
	if (ofAll.files > ALL_FILES || bytes > left) throw full("The server keeps as many export files as it may");
	const onDisk = await files.room();
	if (bytes > onDisk) throw full("The server has too little disk space for export files");
	return Math.min(left, onDisk);
}

/** The pieces of a file as long as they are no more than so many bytes; throws a final `JobFailure` at the first beyond. */
export async function* withinRoom(pieces: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Uint8Array> {
	let left = bytes;
	for await (const piece of pieces) {
		left -= piece.byteLength;
		if (left < 0)
			throw new JobFailure("The file is larger than the room that is left for export files", { isFinal: true });
		yield piece;
	}
}

/** Percent between two notes of the progress. */
const STEP = 5;
/** The rest is for the end: the file is stored, the link made. */
const MOST = 99;

/** The pieces of a file, with a note whenever another part of its rows has passed. */
async function* withProgress(
	content: FileContent,
	estimatedRows: number,
	tell: (percent: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
	let told = 0;
	for await (const piece of content) {
		yield piece;
		const percent = Math.min(MOST, Math.floor((100 * (content.rows() ?? 0)) / Math.max(1, estimatedRows)));
		if (percent < told + STEP) continue;
		told = percent;
		await tell(percent);
	}
}

export const EXPORT_JOB = "export";

class Superseded extends Error {}

/**
 * Creates the file of an export, from the start even after an earlier attempt. Resolves with the export, undefined if
 * there is nothing to do. Temporary failures are thrown, so that the job is retried; all others end the export as
 * failed.
 */
export async function runExport(
	deps: ExportDeps,
	jobId: string,
	{ signal, isLast = false }: { readonly signal?: AbortSignal; readonly isLast?: boolean } = {},
) {
	try {
		const begun = await begin(deps, jobId);
		return begun && (await generate(deps, begun, signal));
	} catch (error) {
		if (error instanceof Superseded) return undefined;
		if (signal?.aborted || (!isLast && mayPass(error))) throw error;
		deps.log.warn({ export: jobId, cause: describeCause(error) }, "An export failed");
		return deps.metadata.transaction().execute((trx) => failExport(deps, trx, jobId, reasonOf(error)));
	}
}

/** Brings an export to the state in which its file is made. Undefined when it is finished or gone. */
async function begin(deps: ExportDeps, jobId: string) {
	const { metadata, clock } = deps;
	await moveExport(metadata, jobId, "estimating", { started_at: clock.now() });
	const row = await exports.find(metadata, { job_id: jobId });
	if (row === undefined || (row.status !== "estimating" && row.status !== "generating")) return undefined;
	const site = await findSite(metadata, row.site_id);
	const organization = await findOrganization(metadata, row.organization_id);
	if (site === undefined || organization?.is_active !== 1 || endedWithSite(site, row)) {
		throw new JobFailure("The site was deleted", { isFinal: true, isOurs: false });
	}
	const parsed = parseExport(site, clock, { ...row, filters: JSON.parse(row.filters) });
	const rows = await countRows(deps, site, parsed);
	const { rows: most } = planOf(organization.plan_tier).exports;
	if (most !== null && rows > most) {
		throw new JobFailure(`The plan allows exports of ${most} rows`, { isFinal: true, isOurs: false });
	}
	const fileName = `${jobId}-${uuid().slice(0, 8)}.${exportFormats[row.format].extension}`;
	const changes = { estimated_rows: rows, progress_percent: 0, file_name: fileName };
	await metadata.transaction().execute(async (trx) => {
		// An earlier attempt ended with its process and its file will never be completed, now that there is another.
		if (row.file_name !== null) await removeFileLater(deps, trx, row.file_name);
		const moved = await moveExport(trx, jobId, "generating", changes);
		if (moved === undefined && !(await updateGenerating(trx, jobId, changes))) throw new Superseded();
	});
	return { row: { ...row, ...changes }, fileName, site, parsed };
}

async function generate(
	deps: ExportDeps,
	{ row, fileName, site, parsed }: NonNullable<Awaited<ReturnType<typeof begin>>>,
	signal: AbortSignal | undefined,
): Promise<ExportRow> {
	const content = fileContent(deps, questionOf(site, deps.clock, parsed), row.format, signal);
	const tell = async (percent: number) => {
		const isHeld = await updateGenerating(deps.metadata, row.job_id, { progress_percent: percent }, fileName);
		if (!isHeld) throw new Superseded();
	};
	const room = await roomForFile(deps, row.site_id, 0);
	const pieces = withinRoom(withProgress(content, row.estimated_rows, tell), room);
	const bytes = await deps.files.write(fileName, pieces, signal);
	const rows = content.rows() ?? row.estimated_rows;
	try {
		return await complete(deps, row, { fileName, rows, bytes });
	} catch (error) {
		// Whether a change that got no answer was made is not known: the next attempt finds out, and removes the file if not.
		if (error instanceof Superseded) await deps.files.remove(fileName);
		throw error;
	}
}

async function complete(
	deps: ExportDeps,
	{ job_id: jobId }: ExportRow,
	{ fileName, rows, bytes }: { readonly fileName: string; readonly rows: number; readonly bytes: number },
): Promise<ExportRow> {
	const download = newDownload(deps, jobId);
	const changes = {
		...download,
		actual_rows: rows,
		file_size_bytes: bytes,
		progress_percent: 100,
		completed_at: deps.clock.now(),
	};
	return deps.metadata.transaction().execute(async (trx) => {
		const row = await moveExport(trx, jobId, "completed", changes, fileName);
		if (row === undefined) throw new Superseded();
		await deps.events.announce(trx, {
			type: "export.completed",
			siteId: row.site_id,
			data: {
				export_id: jobId,
				export_type: row.export_type,
				row_count: rows,
				file_size_bytes: bytes,
				download_url: downloadUrl(deps, row) ?? "",
				expires_at: timestamp(download.download_expires_at),
			},
		});
		return row;
	});
}

/** Fails an export and publishes the event; undefined when it is finished or gone. */
export async function failExport(deps: ExportDeps, trx: Metadata, jobId: string, message: string) {
	// One that could not even be estimated fails as it begins to be made.
	await moveExport(trx, jobId, "estimating", { started_at: deps.clock.now() });
	await moveExport(trx, jobId, "generating");
	const now = deps.clock.now();
	const row = await moveExport(trx, jobId, "failed", { error_message: message, completed_at: now });
	if (row === undefined) return undefined;
	if (row.file_name !== null) await removeFileLater(deps, trx, row.file_name);
	const { site_id: siteId, export_type } = row;
	const data = { export_id: jobId, export_type, error_message: message, failed_at: timestamp(now) };
	await deps.events.announce(trx, { type: "export.failed", siteId, data });
	return row;
}

/** True for what may be over in a minute: a store that is away, a disk that is full. */
function mayPass(error: unknown): boolean {
	if (error instanceof ServiceError)
		return error.code === "database_unavailable" || error.code === "service_unavailable";
	return !(error instanceof JobFailure || error instanceof BadQuestion);
}

function reasonOf(error: unknown): string {
	if (error instanceof JobFailure) return error.message;
	if (error instanceof ServiceError && error.code === "gateway_timeout") {
		return error.message === errorCodes.gateway_timeout.message ? "The export took too long" : error.message;
	}
	if (error instanceof ServiceError && error.code === "database_unavailable") return "The event store is not reachable";
	if (error instanceof ServiceError && ["quota_exceeded", "service_unavailable"].includes(error.code))
		return error.message;
	if (error instanceof FileStoreError || isFileError(error)) return "The file could not be stored";
	return "The export could not be made";
}

const isFileError = (error: unknown): boolean =>
	["ENOSPC", "EDQUOT", "EACCES", "EROFS", "EIO"].includes(String((error as { code?: unknown } | null)?.code));
