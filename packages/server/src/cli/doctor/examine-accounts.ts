import { sql } from "kysely";
import { metadataMigrations } from "../../../migrations/metadata/index.ts";
import { compareSecret } from "../../features/operating/server-secret/index.ts";
import { countJobs, oldestDueJob } from "../../platform/jobs/job-overview.ts";
import { engineOf } from "../../platform/metadata/engine-of.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";
import { compareMigrations } from "../../platform/metadata/migrate-metadata.ts";
import { codeOf, compareClocks, type Examine, type Found, findingsOf, type Patient } from "./finding.ts";

/** PostgreSQL's own number of version 14. */
const MIN_POSTGRES = 140_000;
const JOBS_LATE_MS = 10 * 60_000;

const accounts = findingsOf("accounts");
const jobs = findingsOf("jobs");

/** The metadata store: that it answers, its version, clock and tables; and the jobs in it. */
export const examineAccounts: Examine = async (patient) => {
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
