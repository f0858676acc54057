import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { selectLastRun } from "../../features/operating/backup/index.ts";
import { diagnoseBackups } from "../../features/operating/system/index.ts";
import { hasSuperadmin } from "../../features/people/users/index.ts";
import { listSites } from "../../features/tenancy/sites/index.ts";
import { adviceFor } from "../../platform/config/advice.ts";
import { type Config, ConfigError, loadConfig } from "../../platform/config/config.ts";
import { withSecretKey } from "../../platform/config/secret-key.ts";
import { describeStrange, strangeVariables } from "../../platform/config/strange-variables.ts";
import type { RunningService } from "../../platform/files/running-services.ts";
import { type Clock, systemClock } from "../../platform/lib/clock.ts";
import { isRecord } from "../../platform/lib/is-record.ts";
import { withResource } from "../../platform/lib/with-resource.ts";
import { within } from "../../platform/lib/within.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";
import { openMetadata } from "../../platform/metadata/open-metadata.ts";
import { CertificateFault, readPair } from "../../platform/tls/certificates.ts";
import { askService } from "../ask-service.ts";
import { withKey } from "../sites-check.ts";
import { examineAccounts } from "./examine-accounts.ts";
import { examineDirectory, examineMachine } from "./examine-machine.ts";
import { examineEvents, examineMail, examinePublicUrl, examineRedis, examineSpool } from "./examine-servers.ts";
import {
	codeOf,
	type Examine,
	type Finding,
	type Found,
	findingOf,
	findingsIn,
	findingsOf,
	type Patient,
} from "./finding.ts";

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
