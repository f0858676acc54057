import { isBucket } from "../files/open-file-store.ts";
import type { VariableKind } from "./kinds.ts";
import { tlsFault } from "./tls-settings.ts";
import { variables } from "./variables.ts";

const MIN_SECRET = 32;

type Variables = typeof variables;
type ValueOf<V> = V extends { kind: VariableKind<infer T> } ? T : never;

type CamelCase<Name extends string> = Name extends `${infer First}_${infer Rest}`
	? `${Lowercase<First>}${Capitalize<CamelCase<Rest>>}`
	: Lowercase<Name>;

/** The settings of this process: parsed once, frozen. `secretKey` is absent only before `withSecretKey`. */
export type Config = {
	readonly [Key in keyof Variables as CamelCase<Key>]: Variables[Key] extends { default: string }
		? ValueOf<Variables[Key]>
		: ValueOf<Variables[Key]> | undefined;
};

/** An environment variable holds a value that cannot be used; the message is one line that names it, never its value. */
export class ConfigError extends Error {
	override readonly name = "ConfigError";
}

/** The field of `Config` that holds a variable. */
export const fieldOf = (name: string): string =>
	name.toLowerCase().replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Default of an absent variable. Where plans are sold, new organizations do not begin with the largest one. */
function usual(name: string, variable: Variables[keyof Variables], env: Readonly<Record<string, string | undefined>>) {
	if (name === "DEFAULT_PLAN" && (env.STRIPE_SECRET_KEY ?? "").trim() !== "") return "free";
	return "default" in variable ? variable.default : undefined;
}

/** Reads all settings from an environment. An empty variable counts as absent. Throws `ConfigError`. */
export function loadConfig(env: Readonly<Record<string, string | undefined>>): Config {
	const entries = Object.entries(variables).map(([name, variable]) => {
		const given = env[name]?.trim();
		const text = given === undefined || given === "" ? usual(name, variable, env) : given;
		if (text === undefined) return [fieldOf(name), undefined] as const;
		const value: unknown = variable.kind.parse(text);
		if (value === undefined) {
			const { complaint, expected }: VariableKind<unknown> = variable.kind;
			throw new ConfigError(`${name} must ${complaint?.(text) ?? `be ${expected}`}`);
		}
		return [fieldOf(name), value] as const;
	});
	const config = Object.freeze(Object.fromEntries(entries)) as Config;
	const secrets = { SECRET_KEY: config.secretKey, SECRET_KEY_PREVIOUS: config.secretKeyPrevious };
	for (const [name, secret] of Object.entries(secrets)) {
		if (secret !== undefined && secret.length < MIN_SECRET) {
			throw new ConfigError(`${name} must be at least ${MIN_SECRET} characters long`);
		}
	}
	const fault = tlsFault(config) ?? reusePortFault(config) ?? serverBackupFault(config);
	if (fault !== undefined) throw new ConfigError(fault);
	return config;
}

function serverBackupFault({ clickhouseBackupTo, clickhouseUrl, backupTo }: Config): string | undefined {
	if (clickhouseBackupTo === undefined) return undefined;
	if (clickhouseUrl === undefined) return "CLICKHOUSE_BACKUP_TO needs CLICKHOUSE_URL: the server makes the backup";
	if (clickhouseBackupTo === "bucket" && backupTo !== undefined && !isBucket(backupTo))
		return "CLICKHOUSE_BACKUP_TO must name a disk of the server, as BACKUP_TO is no bucket";
	return undefined;
}

/** Processes behind one port are one service to clients, so their shared state must be on servers. */
function reusePortFault({ reusePort, databaseUrl, redisUrl }: Config): string | undefined {
	if (!reusePort || (databaseUrl !== undefined && redisUrl !== undefined)) return undefined;
	const missing = databaseUrl === undefined ? "DATABASE_URL" : "REDIS_URL";
	return `REUSE_PORT needs ${missing}: processes on one port share accounts and visits`;
}
