import { existsSync } from "node:fs";
import { join } from "node:path";
import { adviceFor } from "../../platform/config/advice.ts";
import { type Config, ConfigError, loadConfig } from "../../platform/config/config.ts";
import { withSecretKey } from "../../platform/config/secret-key.ts";
import { describeStrange, strangeVariables } from "../../platform/config/strange-variables.ts";
import type { RunningService } from "../../platform/files/running-services.ts";
import type { Clock } from "../../platform/lib/clock.ts";
import { systemClock } from "../../platform/lib/clock.ts";
import { within } from "../../platform/lib/within.ts";
import type { Metadata } from "../../platform/metadata/metadata.ts";
import { openMetadata } from "../../platform/metadata/open-metadata.ts";
import { examineAccounts } from "./examine-accounts.ts";
import { examineBackups } from "./examine-backups.ts";
import { examineDirectory } from "./examine-directory.ts";
import { examineEvents } from "./examine-events.ts";
import { examineCertificateFiles } from "./examine-files.ts";
import { examineMachine } from "./examine-machine.ts";
import { examineMail } from "./examine-mail.ts";
import { examinePublicUrl } from "./examine-public-url.ts";
import { examineRedis } from "./examine-redis.ts";
import { examineService } from "./examine-service.ts";
import { examineSites } from "./examine-sites.ts";
import { examineSpool } from "./examine-spool.ts";
import { codeOf, type Finding, findingsOf } from "./finding.ts";
import type { Examine, Patient } from "./patient.ts";

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
	/** The service that runs on a data directory; undefined when none does. */
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
		settings.warning(describeStrange(variable), "Correct the name, or take the variable away"),
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
	if (found.length === 0) found.push(settings.ok("The settings are in order"));
	const metadata = await openAccounts(config);
	try {
		const patient: Patient = { config, clock, service: serviceOn(config.dataDir), metadata, asksSites, answerMs };
		for (const [name, look] of examinations) found.push(...(await lookAt(name, look, patient)));
		return found;
	} finally {
		await metadata?.destroy();
	}
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

async function lookAt(name: string, look: Examine, patient: Patient): Promise<readonly Finding[]> {
	const { warning } = findingsOf(name);
	try {
		const found = await within(systemClock, patient.answerMs * ANSWERS, look(patient));
		return found ?? [warning("This could not be examined in time", "Try again; what hangs is at fault")];
	} catch (error) {
		return [warning(`This could not be examined (${codeOf(error)})`, "Look at the log of the service")];
	}
}
