import { existsSync } from "node:fs";
import { InvalidArgumentError, Option } from "commander";
import { openDirectories } from "../composition/directories.ts";
import { importDeps, importReading } from "../composition/import-deps.ts";
import { systemActor } from "../features/auditing/audit-log/index.ts";
import {
	defaultTimezone,
	type FilingDeps,
	followImport,
	type ImportSource,
	importLocalFile,
	importSources,
	presentImport,
	registerImportJobs,
	shortfallOf,
} from "../features/collecting/imports/index.ts";
import { normalizeTimezone } from "../features/tenancy/sites/index.ts";
import { ConfigError, loadConfig } from "../platform/config/config.ts";
import { isDirectoryLocked } from "../platform/files/lock-directory.ts";
import { openFileStore } from "../platform/files/open-file-store.ts";
import { createJobs } from "../platform/jobs/job-runner.ts";
import { systemClock } from "../platform/lib/clock.ts";
import { withResource } from "../platform/lib/with-resource.ts";
import { createLog } from "../platform/log/create-log.ts";
import { plainDate, siteNamed } from "./arguments.ts";
import { type DefineCommand, type Output, withJson } from "./print-records.ts";
import { withMetadata } from "./with-metadata.ts";
import { withStores } from "./with-stores.ts";

interface ImportOptions extends Output {
	readonly site: string;
	readonly source: ImportSource;
	readonly dryRun?: true;
	readonly timezone?: string;
	readonly from?: Temporal.PlainDate;
	readonly to?: Temporal.PlainDate;
	readonly columns?: Readonly<Record<string, string>>;
}

type Import = ReturnType<typeof presentImport>;

const LOOK_EVERY_MS = 200;
const ENDS: readonly Import["status"][] = ["completed", "failed", "cancelled", "undone"];

/** `footfall import` */
export const define: DefineCommand = (command) => {
	withJson(command)
		.argument("<file>", "file of the other tool")
		.requiredOption("--site <id>", "site to import into; `footfall sites list` shows all")
		.addOption(new Option("--source <name>", "tool that wrote the file").choices(importSources).makeOptionMandatory())
		.option("--dry-run", "validate the file and report, without importing")
		.option(
			"--timezone <zone>",
			"time zone of the times in the file, where it has none; default: the zone of the site, UTC for umami_csv",
		)
		.option("--from <date>", "first day to import", plainDate)
		.option("--to <date>", "last day", plainDate)
		.option("--columns <json>", 'the file\'s names of columns to ours, such as {"when": "time"}', columnMap)
		.action(runImport);
};

async function runImport(path: string, options: ImportOptions): Promise<void> {
	if (!existsSync(path)) throw new ConfigError(`There is no file ${path}`);
	const { dataDir, clickhouseUrl } = loadConfig(process.env);
	const isTaken = clickhouseUrl === undefined && isDirectoryLocked(dataDir);
	const done = await (isTaken ? handOver(path, options) : importHere(path, options));
	process.stdout.write(options.json === true ? `${JSON.stringify(done, null, 2)}\n` : describe(done));
	const hasFailed = done.status === "failed" || done.status === "cancelled";
	if (hasFailed || (done.report !== null && shortfallOf(done.report) !== undefined)) process.exitCode = 1;
}

/** The embedded store belongs to the service that runs: it is given the file, and followed here. */
const handOver = (path: string, options: ImportOptions): Promise<Import> =>
	withMetadata(async ({ metadata, config }) => {
		const log = createLog(config);
		const jobs = createJobs({ metadata, clock: systemClock, log });
		try {
			const files = openFileStore({ ...config, clock: systemClock }, "imports");
			const deps = { metadata, clock: systemClock, jobs, files, reading: importReading(config) };
			return await runAndFollow(deps, path, options);
		} finally {
			await jobs.close();
		}
	});

const importHere = (path: string, options: ImportOptions): Promise<Import> =>
	withStores(({ metadata, eventStore: storedEvents, revisions }, { config, log }) =>
		withResource(new AsyncDisposableStack(), async (opened) => {
			const clock = systemClock;
			const jobs = createJobs({ metadata, clock, log });
			const { attribution } = await openDirectories({ metadata, clock, log }, opened);
			const importFiles = openFileStore({ ...config, clock }, "imports");
			const parts = { config, metadata, clock, log, jobs, importFiles, storedEvents, revisions, attribution };
			const deps = importDeps(parts);
			registerImportJobs(deps);
			opened.defer(() => jobs.close());
			jobs.start();
			return runAndFollow(deps, path, options);
		}),
	);

/** The import is a job here as in the service, which continues it if this process ends. */
async function runAndFollow(deps: FilingDeps, path: string, options: ImportOptions): Promise<Import> {
	const site = await siteNamed(deps.metadata, options.site);
	const importer = { site: { id: site.id, organizationId: site.organization_id }, actor: systemActor };
	const begun = await importLocalFile(deps, importer, path, {
		source: options.source,
		dryRun: options.dryRun === true,
		timezone:
			options.timezone === undefined
				? defaultTimezone(options.source, site.timezone)
				: normalizeTimezone(options.timezone),
		from: options.from?.toString() ?? null,
		to: options.to?.toString() ?? null,
		columnMap: options.columns ?? {},
	});
	let told = "";
	for (;;) {
		const row = await followImport(deps, begun);
		if (row === undefined) throw new ConfigError("The import was removed while it ran");
		if (ENDS.includes(row.status) || (row.status === "validated" && row.dry_run === 1)) return presentImport(row);
		told = tell(`${row.status} ${row.progress_percent} %`, told);
		await systemClock.sleep(LOOK_EVERY_MS);
	}
}

/** A progress line on a terminal, nothing elsewhere. */
function tell(text: string, before: string): string {
	if (text !== before && process.stderr.isTTY) process.stderr.write(`\r${text.padEnd(20)}`);
	return text;
}

const plain = (count: number) => count.toLocaleString("en");

function describe({ import_id, status, report, error_message }: Import): string {
	const lines = [`Import ${import_id} is ${status}${error_message === null ? "" : `: ${error_message}`}`];
	if (report !== null) {
		const { rows_read, rows_accepted, rows_skipped, totals } = report;
		lines.push(`${plain(rows_read)} rows read, ${plain(rows_accepted)} accepted, ${plain(rows_skipped)} skipped`);
		for (const { reason, count, sample_lines, samples } of report.skip_reasons) {
			lines.push(`  ${reason.padEnd(14)} ${plain(count).padStart(12)}  lines ${sample_lines.join(", ")}`);
			for (const sample of samples) lines.push(`    ${sample}`);
		}
		if (report.date_from !== null) lines.push(`Days ${report.date_from} to ${report.date_to}`);
		for (const [name, value] of Object.entries(totals)) lines.push(`  ${name.padEnd(18)} ${plain(value).padStart(14)}`);
		for (const warning of report.warnings) lines.push(`Note: ${warning}`);
	}
	if (status === "validated") lines.push("No rows were imported; run without --dry-run to import them");
	return `${lines.join("\n")}\n`;
}

function columnMap(text: string): Readonly<Record<string, string>> {
	try {
		const value: unknown = JSON.parse(text);
		const entries = Object.entries(value as object);
		if (entries.every(([, ours]) => typeof ours === "string")) return Object.fromEntries(entries);
	} catch {
		// Said below.
	}
	throw new InvalidArgumentError("Enter a JSON object with text values.");
}
