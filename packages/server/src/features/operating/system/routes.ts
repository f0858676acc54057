import { join } from "node:path";
import { AccountQuery, readingAccount } from "../../../access/index.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { diskRoom } from "../../../platform/files/disk-room.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import {
	byKind,
	countJobs,
	findLastFailure,
	oldestDueJob,
	type ShownJob,
} from "../../../platform/jobs/job-overview.ts";
import type { Jobs } from "../../../platform/jobs/jobs.ts";
import { describeSchedules } from "../../../platform/jobs/schedules.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { residentBytes } from "../../../platform/lib/memory.ts";
import type { ProbeFacts } from "../../../platform/lib/probe.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { engineOf, type Metadata } from "../../../platform/metadata/metadata.ts";
import { type HealthDeps, lookAtHealth, requestFacts } from "../health/index.ts";
import type { MetricsDeps } from "../metrics/index.ts";
import {
	diagnoseBackups,
	diagnoseDisk,
	diagnoseProxy,
	type EndedBackup,
	noMailServer,
	unreadableAmounts,
	type Warning,
	warningsAmong,
} from "./diagnose.ts";
import { System, Warnings } from "./schemas.ts";
import { accountsEngine, countActive, eventTables, serverMemory } from "./store.ts";

/** The routes that tell superadmins how the service fares, and users what wants something done. */
export function registerSystem(app: App, deps: SystemDeps): void {
	const startedMs = deps.clock.now();
	addRoute(app, "GET /admin/system", {
		tags: ["Operating"],
		summary: "State of the service: health, versions, disk, stores, memory, jobs, schedules, backups and mail",
		guard: { kind: "session", scope: "read", superadmin: true },
		data: System,
		handler: async (request) => {
			const [health, memory, disks, eventStore, accounts, work, backups, warnings] = await Promise.all([
				lookAtHealth(deps.health),
				describeMemory(deps),
				describeDisks(deps),
				describeEventStore(deps),
				describeAccounts(deps),
				describeWork(deps),
				describeBackups(deps),
				describeWarnings(deps, requestFacts(deps.health, request)),
			]);
			const { mail, ...queue } = work;
			return {
				...health,
				warnings,
				process: describeProcess(deps, startedMs),
				memory,
				disks,
				event_store: eventStore,
				accounts,
				spool: describeSpool(deps),
				...queue,
				backups,
				mail,
			};
		},
	});
	addRoute(app, "GET /warnings", {
		tags: ["Operating"],
		summary: "Current warnings: of the site, and to superadmins those of the installation",
		querystring: AccountQuery,
		guard: readingAccount("viewer"),
		data: Warnings,
		handler: async (request) => {
			const { principal, site } = request;
			const isOperator = principal.kind === "session" && principal.role === "superadmin";
			const [ofInstallation, ofSite] = await Promise.all([
				isOperator ? describeWarnings(deps, requestFacts(deps.health, request)) : [],
				describeSiteWarnings(deps, site),
			]);
			return { warnings: [...ofInstallation, ...ofSite] };
		},
	});
}

/** Minutes for which hits are counted. */
const MOST_MINUTES = 1440;

type ShownConfig = Pick<
	Config,
	| "backupTo"
	| "backupAt"
	| "dataDir"
	| "nodeEnv"
	| "publicUrl"
	| "roles"
	| "spoolMaxBytes"
	| "smtpUrl"
	| "clickhouseUrl"
	| "clickhouseCluster"
>;

interface SystemDeps {
	readonly metadata: Metadata;
	readonly storedEvents: EventStore;
	readonly clock: Clock;
	readonly jobs: Pick<Jobs, "schedules">;
	readonly config: ShownConfig;
	readonly rootUrl: string;
	readonly health: HealthDeps;
	readonly spool: MetricsDeps["spool"];
	/** The last run of a backup, or the last that ended in a way. */
	readonly lastBackup: (status?: "done") => Promise<EndedBackup | undefined>;
	/** Hits of a site by what became of them, over the minutes up to now; undefined without a collector. */
	readonly rejections: (
		siteId: string,
	) => Promise<
		| ((minutes: number) => { readonly reasons: readonly { readonly count: number; readonly counted?: true }[] })
		| undefined
	>;
	/** The process of the embedded event store; undefined while it is down, and where the store is a server. */
	readonly storeProcess: () => number | undefined;
}

/** The event store, or null while it cannot be queried: the rest is reported anyway. */
async function describeEventStore({ storedEvents, config }: SystemDeps) {
	const found = await eventTables(storedEvents, config.clickhouseCluster).catch(() => null);
	const engine: "embedded" | "server" = config.clickhouseUrl === undefined ? "embedded" : "server";
	return found && { engine, version: found.version, tables: [...found.tables] };
}

/** The metadata store and how much is in it. */
async function describeAccounts({ metadata }: SystemDeps) {
	return { engine: engineOf(metadata), ...(await accountsEngine(metadata)), ...(await countActive(metadata)) };
}

/** Memory of this process and of the event store. */
async function describeMemory({ config, storedEvents, storeProcess }: SystemDeps) {
	const pid = storeProcess();
	const ofStore = config.clickhouseUrl === undefined ? pid && residentBytes(pid) : serverMemory(storedEvents);
	const bytes = await Promise.resolve(ofStore || undefined).catch(() => undefined);
	return [
		{ process: "main" as const, bytes: process.memoryUsage.rss() },
		{ process: "event_store" as const, bytes: bytes ?? null },
	];
}

/** The disk of the data directory, and that of the spool where it is another. */
async function readRooms({ config: { dataDir } }: Pick<SystemDeps, "config">) {
	const data = { place: "data" as const, ...(await diskRoom(dataDir)) };
	const spool = await diskRoom(join(dataDir, "spool")).catch(() => undefined);
	const isOther = spool !== undefined && spool.totalBytes !== data.totalBytes;
	return [data, ...(isOther ? [{ place: "spool" as const, ...spool }] : [])];
}

/** This process, and for how long it has run. */
const describeProcess = ({ config, clock, rootUrl, health }: SystemDeps, startedMs: number) => ({
	version: health.version,
	environment: config.nodeEnv,
	node: process.versions.node,
	roles: [...config.roles],
	root_url: rootUrl,
	started_at: timestamp(startedMs),
	uptime_seconds: Math.max(0, Math.floor((clock.now() - startedMs) / 1000)),
});

/** The spool of this process; null when it is no collector. */
function describeSpool({ spool, config }: SystemDeps) {
	const state = spool();
	if (state === undefined) return null;
	return {
		waiting_bytes: state.waitingBytes,
		waiting_seconds: Math.floor((state.waitingMs ?? 0) / 1000),
		max_bytes: config.spoolMaxBytes,
		refused_rows: state.refused.rows,
		damaged_files: state.refused.damaged,
	};
}

async function describeDisks(deps: SystemDeps) {
	return (await readRooms(deps)).map(({ place, freeBytes, totalBytes, state }) => {
		return { place, free_bytes: freeBytes, total_bytes: totalBytes, state };
	});
}

/** Current warnings of the installation; those about a proxy come from how a request reached this process. */
async function describeWarnings(deps: SystemDeps, facts: ProbeFacts): Promise<Warning[]> {
	const { config, clock, lastBackup } = deps;
	const [last, done, rooms] = await Promise.all([lastBackup(), lastBackup("done"), readRooms(deps)]);
	return warningsAmong([
		diagnoseProxy(facts, config.publicUrl?.startsWith("https:") === true),
		...rooms.map((room) => diagnoseDisk(room, room.place === "data" ? "DATA_DIR" : "the spool")),
		...(config.smtpUrl === undefined ? [noMailServer] : []),
		diagnoseBackups(config, { last, done, nowMs: clock.now() }),
	]);
}

/** The same about one site, since its day began. */
async function describeSiteWarnings(
	{ clock, rejections }: SystemDeps,
	{ id, timezone }: { readonly id: string; readonly timezone: string },
): Promise<Warning[]> {
	const now = Temporal.Instant.fromEpochMilliseconds(clock.now()).toZonedDateTimeISO(timezone);
	const minutes = Math.ceil((clock.now() - now.startOfDay().epochMilliseconds) / MINUTE_MS);
	const counted = (await rejections(id))?.(Math.max(1, Math.min(MOST_MINUTES, minutes)));
	const lost = counted?.reasons.find(({ counted: isCounted }) => isCounted === true)?.count ?? 0;
	return lost === 0 ? [] : [unreadableAmounts(lost)];
}

async function describeBackups({ lastBackup }: SystemDeps) {
	const [last, done] = [await lastBackup(), await lastBackup("done")];
	return {
		last_done_at: timestampOrNull(done?.ended_at),
		bytes: done?.bytes ?? null,
		last_failed_at: last?.status === "failed" ? timestamp(last.ended_at) : null,
		last_error: last?.status === "failed" ? last.error_message : null,
	};
}

async function describeWork({ metadata, clock, jobs, config }: SystemDeps) {
	const nowMs = clock.now();
	const kinds = byKind(await countJobs(metadata));
	const mails = kinds.find(({ kind }) => kind === "mail");
	const failure = await findLastFailure(metadata, "mail");
	const schedules = await describeSchedules(metadata, jobs, nowMs);
	return {
		jobs: { kinds, due_since: timestampOrNull(await oldestDueJob(metadata, nowMs)) },
		schedules: schedules.map(({ name, cron, last, nextAt }) => ({
			name,
			cron,
			last_run_at: timestampOrNull(last?.at),
			// A last run that still runs has not failed.
			last_status: last === undefined ? null : last.state === "failed" ? ("failed" as const) : ("done" as const),
			next_run_at: timestampOrNull(nextAt),
		})),
		mail: {
			mode: config.smtpUrl === undefined ? ("outbox" as const) : ("smtp" as const),
			waiting: mails?.pending ?? 0,
			given_up: mails?.failed ?? 0,
			last_error: presentFailure(failure),
		},
	};
}

function presentFailure(job: ShownJob | undefined) {
	if (job === undefined || job.state === "done" || job.last_error === null) return null;
	return { job_id: job.id, message: job.last_error, status: job.state };
}
