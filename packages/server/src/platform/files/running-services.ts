import { createHash } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isDirectoryLocked, isRoleTaken } from "./lock-directory.ts";

/** Data of a running service for the command line. */
export interface RunningService {
	readonly dataDir: string;
	/** Its roles if other processes share the directory; empty if it is the only one. */
	readonly roles: readonly string[];
	/** Where it listens, on this machine; no slash at its end. */
	readonly address: string;
	/** Where browsers reach it; no slash at its end. */
	readonly rootUrl: string;
	/** Names of the settings without which a command would work on other stores or with other keys. */
	readonly needs: readonly string[];
}

type Environment = Readonly<Record<string, string | undefined>>;

/** Where services of systemd with `RuntimeDirectory=footfall` have their directory. */
const SYSTEMD_DIRECTORY = "/run/footfall";

/** Tells commands of this service by a file that only this user can write; the answer removes it. After a crash it does not count, as the directory is free. */
export function announceService(service: RunningService, env: Environment): () => void {
	const directory = ownDirectory(env);
	mkdirSync(directory, { recursive: true, mode: 0o700 });
	if (!isTrusted(directory)) throw new Error(`${directory} belongs to somebody else`);
	const of = [service.dataDir, ...service.roles].join("\n");
	const name = createHash("sha256").update(of).digest("hex").slice(0, 16);
	const path = join(directory, `${name}.json`);
	writeFileSync(`${path}.part`, `${JSON.stringify(service, null, 2)}\n`, { mode: 0o600 });
	renameSync(`${path}.part`, path);
	return () => rmSync(path, { force: true });
}

/** The services that run on this machine and may be known to this user, one a data directory: of several processes that which answers people. */
export function runningServices(env: Environment): RunningService[] {
	const given = env.RUNTIME_DIRECTORY;
	const directories = given === undefined ? [SYSTEMD_DIRECTORY, ownDirectory(env), temporary()] : [ownDirectory(env)];
	const found = [...new Set(directories)].filter(isTrusted).flatMap(readAnnouncements).filter(isInUse);
	return [...Map.groupBy(found, ({ dataDir }) => dataDir).values()].flatMap(
		(processes) => processes.find(({ roles }) => roles.includes("api")) ?? processes.slice(0, 1),
	);
}

/** systemd names the directory of a unit; else the user's own one, which is gone after the last sign-out, or a temporary one. */
function ownDirectory({ RUNTIME_DIRECTORY: unit, XDG_RUNTIME_DIR: user }: Environment): string {
	if (unit !== undefined && unit !== "") return unit.split(":", 1)[0] ?? unit;
	return user === undefined || user === "" ? temporary() : join(user, "footfall");
}

const temporary = (): string => join(tmpdir(), `footfall-${process.getuid?.() ?? 0}`);

/** Another user who could write there would choose where passwords are stored, for commands of root too. */
function isTrusted(directory: string): boolean {
	const found = lstatSync(directory, { throwIfNoEntry: false });
	return found?.isDirectory() === true && found.uid === process.getuid?.() && (found.mode & 0o022) === 0;
}

function readAnnouncements(directory: string): RunningService[] {
	try {
		const files = readdirSync(directory).filter((name) => name.endsWith(".json"));
		return files.flatMap((name) => readAnnouncement(join(directory, name)));
	} catch {
		return [];
	}
}

function readAnnouncement(path: string): RunningService[] {
	try {
		const read = Object(JSON.parse(readFileSync(path, "utf8")));
		const { dataDir, roles = [], address, rootUrl, needs } = read;
		const areTexts = [dataDir, address, rootUrl].every((text) => typeof text === "string");
		if (!areTexts || !Array.isArray(needs) || !Array.isArray(roles)) return [];
		return [{ dataDir, roles: roles.map(String), address, rootUrl, needs: needs.map(String) }];
	} catch {
		return [];
	}
}

function isInUse({ dataDir, roles: [role] }: RunningService): boolean {
	try {
		return role === undefined ? isDirectoryLocked(dataDir) : isRoleTaken(dataDir, role);
	} catch {
		return false;
	}
}
