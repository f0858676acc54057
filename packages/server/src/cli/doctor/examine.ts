import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { sql } from "kysely";
import { metadataMigrations } from "../../../migrations/metadata/index.ts";
import { selectLastRun } from "../../features/operating/backup/index.ts";
import { compareSecret } from "../../features/operating/server-secret/index.ts";
import { diagnoseBackups } from "../../features/operating/system/index.ts";
import { hasSuperadmin } from "../../features/people/users/index.ts";
import { listSites } from "../../features/tenancy/sites/index.ts";
import { adviceFor } from "../../platform/config/advice.ts";
import { type Config, ConfigError, loadConfig } from "../../platform/config/config.ts";
import { withSecretKey } from "../../platform/config/secret-key.ts";
import { describeStrange, strangeVariables } from "../../platform/config/strange-variables.ts";
import type { RunningService } from "../../platform/files/running-services.ts";
import { countJobs, oldestDueJob } from "../../platform/jobs/job-overview.ts";
import { type Clock, systemClock } from "../../platform/lib/clock.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { withResource } from "../../platform/lib/with-resource.ts";
import { within } from "../../platform/lib/within.ts";
import { engineOf, type Metadata } from "../../platform/metadata/metadata.ts";
import { compareMigrations } from "../../platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../platform/metadata/open-metadata.ts";
import { CertificateFault, readPair } from "../../platform/tls/certificates.ts";
import { askService } from "../ask-service.ts";
import { withKey } from "../sites-check.ts";
import { examineDirectory, examineMachine } from "./examine-machine.ts";
import { examineEvents, examineMail, examinePublicUrl, examineRedis, examineSpool } from "./examine-servers.ts";
import {
	codeOf,
	compareClocks,
	type Examine,
	type Finding,
	type Found,
	findingOf,
	findingsIn,
	findingsOf,
	type Patient,
} from "./finding.ts";

/** PostgreSQL's own number of version 14. */
const MIN_POSTGRES = 140_000;
const JOBS_LATE_MS = 10 * 60_000;

const accounts = findingsOf("accounts");
const jobs = findingsOf("jobs");

/** The metadata store: that it answers, its version, clock and tables; and the jobs in it. */
const examineAccounts: Examine = async (patient) => {
	const { metadata, config } = patient;
	if (metadata === undefined)
		return accounts.note("No accounts in DATA_DIR yet", "They are created at the first start: footfall start");
	try {
		const isPostgres = engineOf(metadata) === "postgresql";
		return [
			isPostgres ? await examinePostgres(metadata, patient) : accounts.ok("SQLite answers"),
			await examineMigrations(metadata, patient),
			await examineSecret(patient),
			await examineJobs(metadata, patient),
		];
	} catch (error) {
		const [setting, fix] =
			config.databaseUrl === undefined
				? ["metadata.sqlite in DATA_DIR", "Check the permissions of the file; if it is damaged, restore a backup"]
				: ["DATABASE_URL", "Start PostgreSQL, or correct the address, user or password in DATABASE_URL"];
		return accounts.fault(`${setting} cannot be used (${codeOf(error)})`, fix);
	}
};

async function examinePostgres(metadata: Metadata, { clock }: Patient): Promise<Found> {
	const before = clock.now();
	const { rows } = await sql<{ version: number; now: number }>`
		select current_setting('server_version_num')::int as version,
			(extract(epoch from clock_timestamp()) * 1000)::bigint as now`.execute(metadata);
	const after = clock.now();
	const { version = 0, now = before } = rows[0] ?? {};
	const major = Math.floor(version / 10_000);
	const found =
		version < MIN_POSTGRES
			? accounts.fault(`PostgreSQL ${major} is too old`, "Use version 14 or later")
			: accounts.ok(`PostgreSQL ${major} answers`);
	return [found, compareClocks("PostgreSQL", Number(now), [before, after])];
}

async function examineMigrations(metadata: Metadata, { service }: Patient): Promise<Found> {
	const { missing, unknown } = await compareMigrations(metadata, metadataMigrations);
	if (unknown.length > 0) {
		const message = "The accounts were written by a newer version of Footfall";
		return accounts.fault(message, "Start the newer version, or restore the backup from before the upgrade");
	}
	if (missing.length === 0) return accounts.ok("The schema is up to date");
	const message = `${missing.length} migrations are pending`;
	if (service === undefined) return accounts.note(message, "The next start runs them");
	return accounts.warning(message, "The running service is an older version: restart it");
}

/** Only processes on a PostgreSQL have others that may have another secret. */
async function examineSecret({ metadata, config }: Patient): Promise<Found> {
	const { databaseUrl, secretKey, secretKeyPrevious } = config;
	if (metadata === undefined || databaseUrl === undefined || secretKey === undefined) return [];
	// An older version has no table of it.
	const match = await compareSecret(metadata, { secretKey, secretKeyPrevious }).catch(() => undefined);
	if (match !== "other" && match !== "earlier") return [];
	const message = "SECRET_KEY differs from that of the other processes on DATABASE_URL";
	return accounts.fault(message, "Set the same for all processes; see docs/operations.md, The secret");
}

async function examineJobs(metadata: Metadata, { clock, service }: Patient): Promise<Found> {
	const counts = await countJobs(metadata).catch(() => []);
	const since = await oldestDueJob(metadata, clock.now()).catch(() => undefined);
	const lateMs = since === undefined ? 0 : clock.now() - since;
	const failed = counts.filter(({ state }) => state === "failed");
	const given = failed.reduce((sum, { count }) => sum + Number(count), 0);
	const late = jobs.warning(
		`A job is ${Math.round(lateMs / 60_000)} minutes overdue`,
		"Run a process with the role jobs; /admin/jobs lists waiting jobs",
	);
	const kinds = failed.map(({ kind }) => kind).join(", ");
	return [
		lateMs > JOBS_LATE_MS && service !== undefined && late,
		given === 0
			? jobs.ok("No failed jobs")
			: jobs.warning(
					`${given} failed jobs: ${kinds}`,
					"footfall jobs shows the errors; footfall jobs retry runs one again",
				),
	];
}

const MOST_SITES = 100;
const DAY_MS = 86_400_000;
const QUIET_MS = 3 * DAY_MS;
const sites = findingsOf("sites");

/** When each active site was hit last, as the service knows it. */
const examineSites: Examine = async ({ metadata, service, clock, asksSites, answerMs: timeoutMs }) => {
	if (!asksSites || metadata === undefined || service === undefined) return [];
	const active = (await listSites(metadata, { ids: null, includeInactive: false })).slice(0, MOST_SITES);
	if (active.length === 0) return sites.note("No active site yet", "footfall sites create");
	if (!(await hasSuperadmin(metadata))) return sites.note("No superadmin yet", "footfall users create --superadmin");
	const ids = active.map(({ id }) => id);
	return withKey(metadata, ids, "footfall doctor", async (key) => {
		const found: Finding[] = [];
		for (const id of ids) {
			const { status, body } = await askService(`${service.address}/api/v1/sites/${id}/pixel/status`, {
				headers: { "x-api-key": key },
				timeoutMs,
			});
			if (status === 200) found.push(describe(id, Object(JSON.parse(body)).data?.last_hit_at, clock.now()));
		}
		return found;
	});
};

function describe(id: string, lastHitAt: unknown, now: number): Finding {
	const fix = `footfall sites check ${id} shows whether hits are rejected`;
	if (typeof lastHitAt !== "string") return sites.note(`${id}: no hits stored yet`, fix);
	const ago = now - Date.parse(lastHitAt);
	const message = `${id}: last hit stored ${describeAgo(ago)} ago`;
	return ago > QUIET_MS ? sites.warning(message, fix) : sites.ok(message);
}

function describeAgo(ms: number): string {
	if (ms < 2 * 3_600_000) return `${Math.max(0, Math.round(ms / 60_000))} minutes`;
	return ms < 2 * DAY_MS ? `${Math.round(ms / 3_600_000)} hours` : `${Math.round(ms / DAY_MS)} days`;
}

/** Backups that are made by themselves: when the last one was made, and whether that is as often as it should be. */
const examineBackups: Examine = async ({ config, metadata, clock }) => {
	if (metadata === undefined) return [];
	// Pending migrations are reported by another check.
	const [last, done] = await Promise.all([selectLastRun(metadata), selectLastRun(metadata, "done")]).catch(() => []);
	return findingOf("backups", diagnoseBackups(config, { last, done, nowMs: clock.now() }));
};

const service = findingsOf("service");

/** Remedies by failed check of `/readyz`. */
const fixes: Readonly<Record<string, string>> = {
	database: "See the log for the store that does not answer; hits are kept until then",
	migrations: "See the log for why the schema is not up to date; a newer version may have used the stores",
	storage: "Free space on the disk of DATA_DIR: hits cannot be stored",
};

/** The service that runs on the data directory: that it answers and is ready. */
const examineService: Examine = async ({ service: running, answerMs: timeoutMs }) => {
	if (running === undefined) return service.note("No service is running on DATA_DIR", "footfall start");
	try {
		const { status, body } = await askService(`${running.address}/readyz`, { timeoutMs });
		return status === 200 ? service.ok("The service is ready") : describeFailures(body);
	} catch (error) {
		const fix = "Check its log; it does not answer over TLS until its certificate is issued";
		return service.fault(`The service is running but does not answer (${codeOf(error)})`, fix);
	}
};

function describeFailures(body: string): Finding[] {
	const checks: unknown = Object(JSON.parse(body)).checks;
	const failed = Object.entries(isRecord(checks) ? checks : {}).filter(([, state]) => state !== "ok");
	return failed.map(([name]) =>
		service.fault(`The service is not ready: ${name} failed`, fixes[name] ?? "Look at its log"),
	);
}

const files = findingsOf("certificate files");

/** The files of TLS: that a start could use them. */
const examineCertificateFiles: Examine = async ({ config: { tlsCert, tlsKey } }) => {
	if (tlsCert === undefined || tlsKey === undefined) return [];
	try {
		const [cert, key] = await Promise.all([readFile(tlsCert, "utf8"), readFile(tlsKey, "utf8")]);
		readPair({ cert, key });
		return files.ok("TLS_CERT and TLS_KEY match");
	} catch (error) {
		const fix = "The service cannot start with it; a running service keeps the previous certificate";
		if (!(error instanceof CertificateFault))
			return files.fault(`TLS_CERT or TLS_KEY cannot be read (${codeOf(error)})`, fix);
		return files.fault(`${error.part === "key" ? "TLS_KEY" : "TLS_CERT"} ${error.message}`, fix);
	}
};

/** Milliseconds that a server may take for an answer, and how many answers one of the examinations may wait for. */
const ANSWER_MS = 8000;
const ANSWERS = 4;

/** Examinations, with a name for the report if one fails itself. */
const examinations: readonly (readonly [name: string, examine: Examine])[] = [
	["data directory", examineDirectory],
	["memory", examineMachine],
	["accounts", examineAccounts],
	["event store", examineEvents],
	["redis", examineRedis],
	["spool", examineSpool],
	["mail", examineMail],
	["service", examineService],
	["certificate files", examineCertificateFiles],
	["public address", examinePublicUrl],
	["backups", examineBackups],
	["sites", examineSites],
];

interface Given {
	readonly env: Readonly<Record<string, string | undefined>>;
	readonly clock: Clock;
	readonly serviceOn: (dataDir: string) => RunningService | undefined;
	readonly asksSites: boolean;
	/** Milliseconds that a server may take for an answer; 8 seconds when absent. */
	readonly answerMs?: number;
}

const settings = findingsOf("settings");

/** Examines the installation that an environment describes. Changes nothing but a file that comes and goes. */
export async function examine(given: Given): Promise<Finding[]> {
	const { env, clock, serviceOn, asksSites, answerMs = ANSWER_MS } = given;
	const strange = strangeVariables(Object.keys(env)).map((variable) =>
		settings.warning(describeStrange(variable), "Correct the name, or remove the variable"),
	);
	let config: Config;
	try {
		config = readSettings(env);
	} catch (error) {
		if (!(error instanceof ConfigError)) throw error;
		return [settings.fault(error.message, "Correct the variable; docs/operations.md lists all"), ...strange];
	}
	const advice = adviceFor(config).map(({ message }) => settings.warning(message, "docs/operations.md, HTTPS"));
	const found = [...strange, ...advice];
	if (found.length === 0) found.push(settings.ok("The settings are valid"));
	return withResource(await openAccounts(config), async (metadata) => {
		const patient: Patient = { config, clock, service: serviceOn(config.dataDir), metadata, asksSites, answerMs };
		for (const [name, look] of examinations) found.push(...findingsIn(await lookAt(name, look, patient)));
		return found;
	});
}

/** With the secret where a start has made one; a doctor makes none. */
function readSettings(env: Given["env"]): Config {
	const config = loadConfig(env);
	return existsSync(join(config.dataDir, "secret.key")) ? withSecretKey(config) : config;
}

async function openAccounts(config: Config): Promise<Metadata | undefined> {
	const isThere = config.databaseUrl !== undefined || existsSync(join(config.dataDir, "metadata.sqlite"));
	return isThere ? openMetadata(config) : undefined;
}

async function lookAt(name: string, look: Examine, patient: Patient): Promise<Found> {
	const { warning } = findingsOf(name);
	const looking = look(patient).then(findingsIn);
	try {
		const found = await within(systemClock, patient.answerMs * ANSWERS, looking);
		return found ?? warning("The check timed out", "Try again; the part that hangs is the cause");
	} catch (error) {
		return warning(`The check failed (${codeOf(error)})`, "Look at the log of the service");
	}
}
