import { closeSync, fsyncSync, linkSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../files/make-directory.ts";
import { randomToken } from "../lib/ids.ts";
import { type Config, ConfigError } from "./config.ts";

const KEY_BYTES = 48;

/** Settings whose `secretKey` is present. */
export type ReadyConfig = Omit<Config, "secretKey"> & { readonly secretKey: string };

/** The settings with the server's secret: the given one, else that of `DATA_DIR/secret.key`, made at the first start. Throws `ConfigError`. */
export function withSecretKey(config: Config): ReadyConfig {
	return Object.freeze({ ...config, secretKey: config.secretKey ?? keptKey(config.dataDir) });
}

function keptKey(dataDir: string): string {
	const file = join(dataDir, "secret.key");
	try {
		return readKey(file) ?? makeKey(dataDir, file);
	} catch (error) {
		if (error instanceof ConfigError) throw error;
		throw new ConfigError(`DATA_DIR must be a directory that this process can write (${codeOf(error)})`);
	}
}

function readKey(file: string): string | undefined {
	try {
		const key = readFileSync(file, "utf8").trim();
		if (key.length < 32) throw new ConfigError("The file secret.key in DATA_DIR is damaged: restore it or remove it");
		return key;
	} catch (error) {
		if (codeOf(error) === "ENOENT") return undefined;
		throw error;
	}
}

function makeKey(dataDir: string, file: string): string {
	makeDirectory(dataDir);
	const draft = `${file}.${process.pid}`;
	try {
		// Sealed values are lost without the key, so the file and its name must be on disk before the key is used.
		rmSync(draft, { force: true });
		writeFileSync(draft, `${randomToken(KEY_BYTES)}\n`, { flag: "wx", mode: 0o600, flush: true });
		// A link fails when another process was first; a rename would replace its key.
		linkSync(draft, file);
		syncPath(dataDir);
	} catch (error) {
		if (codeOf(error) !== "EEXIST") throw error;
	} finally {
		rmSync(draft, { force: true });
	}
	const key = readKey(file);
	if (key === undefined) throw new ConfigError("The file secret.key in DATA_DIR cannot be read");
	return key;
}

function syncPath(path: string): void {
	const file = openSync(path, "r");
	try {
		fsyncSync(file);
	} finally {
		closeSync(file);
	}
}

const codeOf = (error: unknown): string => String((error as { code?: unknown } | null)?.code ?? "unknown");
