import { randomBytes } from "node:crypto";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { BatchWriter } from "./batch-writer.ts";
import type { DayPlan } from "./day-rules.ts";
import type { ImportDeps } from "./deps.ts";
import { checkContent } from "./formats/file-kind.ts";
import { UnreadableFile } from "./formats/format.ts";
import { Intake } from "./intake.ts";
import { intakeSettings, planDays } from "./plan.ts";
import { formatOf, readItems } from "./read-items.ts";
import { addWarnings } from "./report-warnings.ts";
import { findImport, type ImportRow, moveImport, updateRunning } from "./store.ts";
import { removeFileLater, storedFile } from "./stored-file.ts";
import { Superseded } from "./superseded.ts";

interface RunOptions {
	readonly signal?: AbortSignal;
}

const SALT_BYTES = 32;

/**
 * Brings an import on: reads its file for the report, and writes its rows if they were asked for, from where an earlier run was
 * ended. What may pass is thrown, so that the job is tried again; all else ends the import as failed.
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

/** Reads the whole file of a dry run; of one that is imported at once only the beginning, as its rows are read anyway. */
async function validate(deps: ImportDeps, row: ImportRow, signal: AbortSignal | undefined): Promise<ImportRow> {
	const { metadata, clock } = deps;
	const attempt = uuid();
	const begun = { attempt, started_at: clock.now(), progress_percent: 0 };
	const held = await moveImport(metadata, row.import_id, "validating", begun);
	if (held === undefined) throw new Superseded();
	let report: string | null = null;
	if (held.dry_run === 1) {
		const days = await planDays(deps, held);
		const intake = new Intake(await intakeSettings(deps, held, days));
		await readItems(deps, held, { attempt, signal }, async (items) => {
			for (const item of items) intake.take(item);
		});
		addWarnings(intake, held, days, await intakeSettings(deps, held, days));
		report = JSON.stringify(intake.result.report());
	} else {
		const { timezone, column_map } = held;
		const context = { timezone, columnMap: JSON.parse(column_map) as Record<string, string>, signal };
		await checkContent(formatOf(held.source), storedFile(deps, held), context);
	}
	const changes = { report, attempt: null, progress_percent: report === null ? 0 : 100 };
	const validated = await moveImport(metadata, row.import_id, "validated", changes, attempt);
	if (validated === undefined) throw new Superseded();
	return validated;
}

async function importRows(deps: ImportDeps, row: ImportRow, signal: AbortSignal | undefined): Promise<void> {
	const { metadata, clock, eventStore: store } = deps;
	const attempt = uuid();
	const days: DayPlan = row.plan === null ? await planDays(deps, row) : (JSON.parse(row.plan) as DayPlan);
	const held = await moveImport(metadata, row.import_id, "importing", {
		attempt,
		plan: JSON.stringify(days),
		salt: row.salt ?? randomBytes(SALT_BYTES).toString("base64"),
		progress_percent: 0,
		...(row.status === "validated" && { started_at: clock.now() }),
	});
	if (held === undefined) throw new Superseded();
	const onStored = async (batches: number) => {
		if (!(await updateRunning(metadata, held.import_id, attempt, { batches_done: batches }))) throw new Superseded();
	};
	const writer = new BatchWriter({ store, importId: held.import_id, done: held.batches_done, onStored });
	const settings = await intakeSettings(deps, held, days);
	const intake = new Intake(settings, (line, date) => writer.add(line, date));
	await readItems(deps, held, { attempt, signal }, async (items) => {
		for (const item of items) {
			intake.take(item);
			if (item.kind !== "skipped" && writer.countItem()) await writer.flush();
		}
	});
	await writer.finish();
	addWarnings(intake, held, days, settings);
	await complete(deps, held, attempt, JSON.stringify(intake.result.report()));
}

async function complete(deps: ImportDeps, row: ImportRow, attempt: string, report: string): Promise<void> {
	const changes = { ...ended(deps), report, progress_percent: 100 };
	await deps.metadata.transaction().execute(async (trx) => {
		const moved = await moveImport(trx, row.import_id, "completed", changes, attempt);
		if (moved === undefined) throw new Superseded();
		await removeFileLater(deps, trx, row);
	});
}

/** What an import has no longer when it ends: its file has addresses of people in it. */
export const ended = ({ clock }: Pick<ImportDeps, "clock">) => ({
	attempt: null,
	plan: null,
	salt: null,
	stored_name: null,
	completed_at: clock.now(),
});

/** Ends an import that cannot be brought on; what it has written stays until it is undone. */
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

/** What users are told of a failure. */
function reasonOf(error: unknown): string {
	if (error instanceof JobFailure || error instanceof UnreadableFile) return error.message;
	return "The import could not be completed";
}
