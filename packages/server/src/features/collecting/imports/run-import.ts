import { randomBytes } from "node:crypto";
import { eventColumns } from "../../../analytics/model/event-columns.ts";
import { todayIn } from "../../../analytics/query/question/resolve-range.ts";
import { countedDays } from "../../../analytics/query/reports/site-days.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { JobFailure } from "../../../platform/jobs/job-failure.ts";
import { uuid } from "../../../platform/lib/ids.ts";
import { describeCause } from "../../../platform/log/describe-cause.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { findSite, readSiteFacts } from "../../tenancy/sites/index.ts";
import type { ImportDeps } from "./deps.ts";
import { UnreadableFile } from "./formats/format.ts";
import type { DayPlan, IntakePlan } from "./intake.ts";
import { refusePartitions } from "./quotas.ts";
import { type ReadWish, readApart } from "./read-apart.ts";
import { type ImportRow, imports, moveImport, updateRunning } from "./store.ts";
import { removeFileLater } from "./stored-file.ts";

/** Another run works on the import, or it was cancelled. */
class Superseded extends Error {}

/** Milliseconds between two notes of how far the file is read. */
const TELL_EVERY_MS = 1000;
/** The rest is for the end. */
const MOST = 99;
const COLUMNS = Object.keys(eventColumns);

interface Run extends Pick<ReadWish, "done"> {
	readonly attempt: string;
	readonly signal: AbortSignal;
	readonly intake: NonNullable<ReadWish["intake"]>;
}

/** Reads the file, stores rows if requested, notes progress; returns the report as JSON. Throws `Superseded` for another run's import. */
async function readRows(deps: ImportDeps, row: ImportRow, { attempt, signal, ...wish }: Run): Promise<string> {
	const stop = new AbortController();
	const note = async (changes: Parameters<typeof updateRunning>[3]) => {
		if ((await updateRunning(deps.metadata, row.import_id, attempt, changes)) === undefined) throw new Superseded();
	};
	let read = 0;
	let noting = Promise.resolve();
	const stopNoting = deps.clock.every(TELL_EVERY_MS, () => {
		const progress_percent = Math.min(MOST, Math.floor((100 * read) / Math.max(1, row.file_size_bytes)));
		// A store that is away is found when the rows are to be noted.
		noting = noting
			.then(() => note({ progress_percent }))
			.catch((error: unknown) => {
				if (error instanceof Superseded) stop.abort(error);
			});
	});
	const reading = readApart(
		deps,
		{
			source: row.source,
			file: { name: row.file_name, storedName: row.stored_name, bytes: row.file_size_bytes },
			context: { timezone: row.timezone, columnMap: JSON.parse(row.column_map) as Record<string, string> },
			...wish,
		},
		{
			signal: AbortSignal.any([stop.signal, signal]),
			onBytes: (bytes) => {
				read = bytes;
			},
		},
	);
	let partitions = row.partitions;
	try {
		for (let next = await reading.next(); ; next = await reading.next()) {
			if (next.done === true) return JSON.stringify(next.value);
			const message = next.value;
			if (message.kind === "stored") await note({ batches_done: message.batches });
			else {
				if (message.months > partitions) {
					partitions = message.months;
					await refusePartitions(deps.metadata, row, partitions);
					await note({ partitions });
				}
				const deduplicationToken = `import-${row.import_id}-${message.token}`;
				await writeBesideHits(deps, () =>
					deps.eventStore.insert({ table: "events", columns: COLUMNS, tsv: message.tsv, deduplicationToken }),
				);
			}
		}
	} finally {
		stopNoting();
		await Promise.all([reading.return(undefined), noting]);
	}
}

/** With the bound below, measured to keep the 99th percentile of hits below twice its value (`bench:imports:beside`). */
const REST_MS_PER_HIT = 4;
/** Times that the write took. */
const MOST_REST = 7;

/** Writes rows, then leaves disk and processors to the hits: the longer, the more of them arrived meanwhile. */
export async function writeBesideHits(
	{ clock, hitsTaken = () => 0 }: Pick<ImportDeps, "clock" | "hitsTaken">,
	write: () => Promise<void>,
): Promise<void> {
	const [began, taken] = [clock.monotonic(), hitsTaken()];
	await write();
	const rest = Math.min(REST_MS_PER_HIT * (hitsTaken() - taken), MOST_REST * (clock.monotonic() - began));
	if (rest > 0) await clock.sleep(rest);
}

/** No log is older, and no day before it is one that a report can show. */
const FIRST_DAY = "1990-01-01";

async function planDays(deps: ImportDeps, row: ImportRow): Promise<DayPlan> {
	const site = await findSite(deps.metadata, row.site_id);
	if (site === undefined || site.is_active !== 1) throw siteIsGone();
	const { own, imported } = await countedDays(deps, row.site_id);
	const today = todayIn(site.timezone, deps.clock);
	const months = site.data_retention_months;
	const earliest = months === null ? FIRST_DAY : today.subtract({ months }).toString();
	return { from: row.date_from, to: row.date_to, earliest, today: today.toString(), own, imported };
}

/** Plan by which rows and report of an import are made, without its salt. */
async function planIntake(deps: ImportDeps, row: ImportRow, days: DayPlan): Promise<IntakePlan> {
	const site = (await readSiteFacts(deps.metadata, [row.site_id])).get(row.site_id);
	if (site === undefined) throw siteIsGone();
	await deps.attribution.refresh();
	const { domains, utmMappings, timezone, botThreshold } = site;
	return {
		siteId: site.id,
		importId: row.import_id,
		timezone,
		fileTimezone: row.timezone,
		botThreshold,
		days,
		salt: "",
		timeoutMs: deps.sessionTimeoutMs,
		rules: deps.attribution.rules(site.id),
		domains,
		utmMappings,
		paymentDomains: deps.paymentDomains,
	};
}

const siteIsGone = () => new JobFailure("The site was deleted", { isFinal: true, isOurs: false });

const SALT_BYTES = 32;
/** Larger ones hold up the thread that takes hits, as they go through it. */
const BATCH_BYTES = 3 * 1024 * 1024;

/** Continues an import where an earlier run ended. Temporary failures are thrown for a retry; all others end it as failed. */
export async function runImport(deps: ImportDeps, importId: string, signal: AbortSignal): Promise<void> {
	try {
		const row = await imports.find(deps.metadata, { import_id: importId });
		if (row === undefined) return;
		const validated = row.status === "pending" || row.status === "validating" ? await validate(deps, row, signal) : row;
		if (validated.status === "importing" || (validated.status === "validated" && validated.dry_run === 0)) {
			await importRows(deps, validated, signal);
		}
	} catch (error) {
		if (error instanceof Superseded) return;
		if (signal.aborted || mayPass(error)) throw error;
		deps.log.warn({ import: importId, cause: describeCause(error) }, "An import failed");
		await deps.metadata.transaction().execute((trx) => failImport(deps, trx, importId, reasonOf(error)));
	}
}

/** Reads the whole file of a dry run. That of an import that begins at once was checked, and is read when its rows are written. */
async function validate(deps: ImportDeps, row: ImportRow, signal: AbortSignal): Promise<ImportRow> {
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

async function importRows(deps: ImportDeps, row: ImportRow, signal: AbortSignal): Promise<void> {
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
	await metadata.transaction().execute(async (trx) => {
		const changes = { report, progress_percent: 100 };
		const completed = await endImport(deps, trx, held, { to: "completed", changes, attempt });
		if (completed === undefined) throw new Superseded();
	});
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

interface End {
	readonly to: "completed" | "failed" | "cancelled";
	readonly changes: Parameters<typeof moveImport>[3];
	/** The run that ends it; any when absent. */
	readonly attempt?: string;
}

/** Ends an import: its file goes, and with it the fields that tell of addresses. Undefined when it is in another state. */
export async function endImport(
	deps: Pick<ImportDeps, "clock" | "jobs">,
	trx: Metadata,
	row: ImportRow,
	{ to, changes, attempt }: End,
): Promise<ImportRow | undefined> {
	const ended = { attempt: null, plan: null, salt: null, stored_name: null, completed_at: deps.clock.now() };
	const moved = await moveImport(trx, row.import_id, to, { ...ended, ...changes }, attempt);
	if (moved !== undefined) await removeFileLater(deps, trx, row);
	return moved;
}

/** Ends an import that cannot continue; its written rows stay until it is undone. */
export async function failImport(deps: ImportDeps, trx: Metadata, importId: string, message: string): Promise<void> {
	const row = await imports.find(trx, { import_id: importId });
	if (row !== undefined) await endImport(deps, trx, row, { to: "failed", changes: { error_message: message } });
}

/** True for what may be over in a minute: a store that is away, a file that is on another machine. */
function mayPass(error: unknown): boolean {
	if (error instanceof UnreadableFile) return false;
	if (error instanceof JobFailure) return !error.isFinal;
	if (error instanceof ServiceError) return error.isOurs;
	return true;
}

function reasonOf(error: unknown): string {
	if (error instanceof JobFailure || error instanceof UnreadableFile) return error.message;
	if (error instanceof ServiceError && !error.isOurs) return error.message;
	return "The import could not be completed";
}
