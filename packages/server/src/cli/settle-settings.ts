import { existsSync, readFileSync, realpathSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { ConfigError } from "../platform/config/config.ts";
import { readStores, storesFile, withStores } from "../platform/config/stores-file.ts";
import { describeStrange, strangeVariables } from "../platform/config/strange-variables.ts";
import { type RunningService, runningServices } from "../platform/files/running-services.ts";

/** Requirement of a command on the data directory: it exists, it may be created, none, or no use of it. */
export type DataNeed = "existing" | "may-be-new" | "start" | "none" | "elsewhere";

type Environment = Record<string, string | undefined>;

interface Given {
	/** Changed in place: values of files are added, and `DATA_DIR` is absolute afterwards. */
	readonly env: Environment;
	readonly cwd: string;
	/** Of `--env-file`. */
	readonly envFile: string | undefined;
	readonly need: DataNeed;
	/** The checkout that the command comes from; for tests. */
	readonly programDir?: string;
}

const checkout = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Finds the settings that a command works with: those of the environment, then those of `--env-file` or of `.env` beside the data directory. Where
 * no data directory is named and `./data` is none, it is that of the service that runs on this machine, else that of the
 * checkout. Answers lines for the operator. Throws `ConfigError` when the command would work on nothing, or on other data
 * than the service.
 */
export function settleSettings(given: Given): string[] {
	const { env, need } = given;
	const isNamed = isSet(env.DATA_DIR);
	const strange = strangeVariables(Object.keys(env));
	const read = { files: [] as string[], strange };
	if (given.envFile !== undefined) addFile(env, resolve(given.cwd, given.envFile), read);
	else addFileBeside(env, given.cwd, read);
	if (!isSet(env.DATA_DIR) && need !== "elsewhere") findDirectory(given, read);
	const dataDir = resolve(given.cwd, env.DATA_DIR ?? "data");
	env.DATA_DIR = dataDir;
	// A start looks itself, once it has the directory: by then the stores may have moved.
	if (need !== "start" && need !== "elsewhere") addStores(env, dataDir, read);
	if (need === "existing") refuseNothing(env, dataDir);
	if (needsData(need)) refuseOtherStores(env, dataDir);
	const files = read.files.map((file) => `Settings: ${file}`);
	const told = isNamed || !needsData(need) ? [] : [`Data: ${dataDir}`];
	return [...files, ...told, ...read.strange.map(describeStrange)];
}

const needsData = (need: DataNeed): boolean => need === "existing" || need === "may-be-new";

type Read = { readonly files: string[]; strange: ReturnType<typeof strangeVariables> };

const isSet = (value: string | undefined): value is string => value !== undefined && value.trim() !== "";

/** Variables of the environment take precedence. A directory named in a file is relative to the file. */
function addFile(env: Environment, path: string, read: Read): void {
	const values = parseFile(path);
	read.files.push(path);
	read.strange = [...read.strange, ...strangeVariables(Object.keys(values), { isOwnFile: true })];
	if (isSet(values.DATA_DIR)) values.DATA_DIR = resolve(dirname(path), values.DATA_DIR);
	for (const [name, value] of Object.entries(values)) if (!isSet(env[name])) env[name] = value;
}

function addStores(env: Environment, dataDir: string, read: Read): void {
	if (Object.keys(readStores(dataDir)).length === 0) return;
	Object.assign(env, withStores(env, dataDir));
	read.files.push(storesFile(dataDir));
}

function parseFile(path: string): Environment {
	try {
		return parseEnv(readFileSync(path, "utf8"));
	} catch (error) {
		throw new ConfigError(`The settings in ${path} cannot be read (${String((error as { code?: unknown }).code)})`);
	}
}

function addFileBeside(env: Environment, cwd: string, read: Read): void {
	const file = join(dirname(resolve(cwd, isSet(env.DATA_DIR) ? env.DATA_DIR : "data")), ".env");
	if (existsSync(file)) addFile(env, file, read);
}

/** No data directory is named: that of this folder, of the running service, of the checkout, in this order. */
function findDirectory({ env, cwd, need, envFile, programDir = checkout }: Given, read: Read): void {
	if (need === "start" || holdsData(resolve(cwd, "data"))) return;
	const services = runningServices(env);
	if (services.length > 1) {
		const directories = services.map(({ dataDir }) => dataDir).join(", ");
		throw new ConfigError(`Several services run here: set DATA_DIR to one of their directories: ${directories}`);
	}
	const [service] = services;
	if (service === undefined && resolve(cwd) === resolve(programDir)) return;
	const found = service?.dataDir ?? join(programDir, "data");
	if (service === undefined && !holdsData(found) && !existsSync(join(programDir, ".env"))) return;
	if (service !== undefined) env.DATA_DIR = found;
	if (envFile === undefined) addFileBeside(env, dirname(found), read);
	if (!isSet(env.DATA_DIR) && holdsData(found)) env.DATA_DIR = found;
}

const holdsData = (directory: string): boolean =>
	["secret.key", "metadata.sqlite"].some((name) => existsSync(join(directory, name)));

/** Accounts on a server and a given secret leave nothing to look for in a directory. */
function refuseNothing(env: Environment, dataDir: string): void {
	if (holdsData(dataDir) || (isSet(env.DATABASE_URL) && isSet(env.SECRET_KEY))) return;
	throw new ConfigError(
		`There is no Footfall data in ${dataDir}: set DATA_DIR to its directory, or run \`footfall start\` to create one`,
	);
}

function refuseOtherStores(env: Environment, dataDir: string): void {
	const missing = serviceOn(env, dataDir)?.needs.filter((name) => !isSet(env[name])) ?? [];
	if (missing.length === 0) return;
	const file = join(dirname(dataDir), ".env");
	throw new ConfigError(
		`The service runs with ${missing.join(", ")}, which this command does not have: add it to ${file}, or name its file with --env-file`,
	);
}

export const serviceOn = (env: Environment, dataDir: string): RunningService | undefined =>
	runningServices(env).find((service) => realPath(service.dataDir) === realPath(dataDir));

/** Without symbolic links, where the path leads anywhere. */
function realPath(path: string): string {
	try {
		return realpathSync(path);
	} catch {
		return resolve(path);
	}
}
