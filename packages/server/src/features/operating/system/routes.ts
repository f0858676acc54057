import { AccountQuery, readingAccount } from "../../../access/index.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { ShownJob } from "../../../platform/jobs/job-overview.ts";
import type { ScheduleState } from "../../../platform/jobs/schedules.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { lookAtHealth, requestFacts } from "../health/index.ts";
import {
	describeAccounts,
	describeBackups,
	describeDisks,
	describeEventStore,
	describeMemory,
	describeSiteWarnings,
	describeWarnings,
	describeWork,
	type SystemDeps,
} from "./describe-system.ts";
import { System, Warnings } from "./schemas.ts";

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
			const { failure, ...mail } = work.mail;
			return {
				...health,
				warnings,
				process: processOf(deps, startedMs),
				memory,
				disks,
				event_store: eventStore,
				accounts,
				spool: spoolOf(deps),
				jobs: { kinds: work.kinds, due_since: timestampOrNull(work.dueSince) },
				schedules: work.schedules.map(presentSchedule),
				backups,
				mail: { ...mail, last_error: presentFailure(failure) },
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

const processOf = ({ config, clock, rootUrl, health }: SystemDeps, startedMs: number) => ({
	version: health.version,
	environment: config.nodeEnv,
	node: process.versions.node,
	roles: [...config.roles],
	root_url: rootUrl,
	...presentUptime(startedMs, clock.now()),
});

function spoolOf({ spool, config }: SystemDeps) {
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

/** A schedule on the wire; a last run that still runs has not ended. */
const presentSchedule = ({ name, cron, last, nextAt }: ScheduleState) => ({
	name,
	cron,
	last_run_at: timestampOrNull(last?.at),
	last_status: last === undefined ? null : last.state === "failed" ? ("failed" as const) : ("done" as const),
	next_run_at: timestampOrNull(nextAt),
});

function presentFailure(job: ShownJob | undefined) {
	if (job === undefined || job.state === "done" || job.last_error === null) return null;
	return { job_id: job.id, message: job.last_error, status: job.state };
}

/** How long a process has run, by its start. */
const presentUptime = (startedMs: number, nowMs: number) => ({
	started_at: timestamp(startedMs),
	uptime_seconds: Math.max(0, Math.floor((nowMs - startedMs) / 1000)),
});
