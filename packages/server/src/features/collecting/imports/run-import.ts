import { randomBytes } from "node:crypto";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { DayPlan } from "./day-rules.ts";
import type { ImportDeps } from "./deps.ts";
import { UnreadableFile } from "./formats/format.ts";
import type { IntakePlan } from "./intake.ts";
import { planDays, planIntake } from "./plan.ts";
import { readRows, Superseded } from "./read-rows.ts";
import { findImport, type ImportRow, moveImport } from "./store.ts";
import { removeFileLater } from "./stored-file.ts";

interface RunOptions {
	readonly signal?: AbortSignal;
}

const SALT_BYTES = 32;
/** Larger ones hold up the thread that takes hits, as they go through it. */
const BATCH_BYTES = 3 * 1024 * 1024;

/**
 * Continues an import: reads its file for the report, and writes its rows if requested, from the point where an earlier
 * run ended. Temporary failures are thrown, so that the job is retried; all others end the import as failed.
 */
export async function runImport(deps: ImportDeps, importId: string, { signal }: RunOptions = {}): Promise<void> {
	try {
		const row = await findImport(deps.metadata, importId);
		if (row === undefined) return;
		const validated = row.status === "pending" || row.status === "validating" ? await validate(deps, row, signal) : row;
		if (validated.status === "importing" || (validated.status === "validated" && validated.dry_run === 0)) {
			await importRows(deps, validated, signal);
		}
	} catch (error) {
		if (error instanceof Superseded) return;
		if (signal?.aborted === true || mayPass(error)) throw error;
		deps.log.warn({ import: importId, cause: describeCause(error) }, "An import failed");
		await deps.metadata.transaction().execute((trx) => failImport(deps, trx, importId, reasonOf(error)));
	}
}

/** Reads the whole file of a dry run. That of an import that begins at once was checked, and is read when its rows are written. */
async function validate(deps: ImportDeps, row: ImportRow, signal: AbortSignal | undefined): Promise<ImportRow> {
	const { metadata, clock } = deps;
	const attempt = uuid();
	const begun = { attempt, started_at: clock.now(), progress_percent: 0 };
	const held = await moveImport(metadata, row.import_id, "validating", begun);
	if (held === undefined) throw new Superseded();
	let report: string | null = null;
	if (held.dry_run === 1) {
		const intake = await planIntake(deps, held, await planDays(deps, held));
		report = await readRows(deps, held, { attempt, signal, intake });
	}
	const changes = { report, attempt: null, progress_percent: report === null ? 0 : 100 };
	const validated = await moveImport(metadata, row.import_id, "validated", changes, attempt);
	if (validated === undefined) throw new Superseded();
	return validated;
}

async function importRows(deps: ImportDeps, row: ImportRow, signal: AbortSignal | undefined): Promise<void> {
	const { metadata, clock } = deps;
	const attempt = uuid();
	const plan = await planOf(deps, row);
	const salt = row.salt ?? randomBytes(SALT_BYTES).toString("base64");
	const held = await moveImport(metadata, row.import_id, "importing", {
		attempt,
		plan: JSON.stringify(plan),
		salt,
		progress_percent: 0,
		...(row.status === "validated" && { started_at: clock.now() }),
	});
	if (held === undefined) throw new Superseded();
	const report = await readRows(deps, held, { attempt, signal, intake: { ...plan, salt }, done: held.batches_done });
	await complete(deps, held, attempt, report);
}

/** The plan made when the rows begin to be written holds for every run, so that a repetition makes the same rows. */
async function planOf(deps: ImportDeps, row: ImportRow): Promise<IntakePlan> {
	if (row.plan === null) {
		return { ...(await planIntake(deps, row, await planDays(deps, row))), batchBytes: BATCH_BYTES };
	}
	const plan = JSON.parse(row.plan) as IntakePlan | DayPlan;
	// Until 0.2.0 the days alone were decided.
	return "days" in plan ? plan : planIntake(deps, row, plan);
}

async function complete(deps: ImportDeps, row: ImportRow, attempt: string, report: string): Promise<void> {
	const changes = { ...ended(deps), report, progress_percent: 100 };
	await deps.metadata.transaction().execute(async (trx) => {
		const moved = await moveImport(trx, row.import_id, "completed", changes, attempt);
		if (moved === undefined) throw new Superseded();
		await removeFileLater(deps, trx, row);
	});
}

/** Fields that an ended import loses, as its file contains addresses of people. */
export const ended = ({ clock }: Pick<ImportDeps, "clock">) => ({
	attempt: null,
	plan: null,
	salt: null,
	stored_name: null,
	completed_at: clock.now(),
});

/** Ends an import that cannot continue; its written rows stay until it is undone. */
export async function failImport(deps: ImportDeps, trx: Metadata, importId: string, message: string): Promise<void> {
	const row = await findImport(trx, importId);
	const moved = await moveImport(trx, importId, "failed", { ...ended(deps), error_message: message });
	if (row !== undefined && moved !== undefined) await removeFileLater(deps, trx, row);
}

/** True for what may be over in a minute: a store that is away, a file that is on another machine. */
function mayPass(error: unknown): boolean {
	if (error instanceof UnreadableFile) return false;
	if (error instanceof JobFailure) return !error.isFinal;
	if (error instanceof ServiceError) return error.isOurs;
	return true;
}

/** Message of a failure for users. */
function reasonOf(error: unknown): string {
	if (error instanceof JobFailure || error instanceof UnreadableFile) return error.message;
	if (error instanceof ServiceError && !error.isOurs) return error.message;
	return "The import could not be completed";
}
