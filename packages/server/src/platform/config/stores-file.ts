import { existsSync, readFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { parseEnv } from "node:util";
import { syncDirectory, writeAtomic } from "../files/write-atomic.ts";

const SETTINGS = ["DATABASE_URL", "CLICKHOUSE_URL", "CLICKHOUSE_CLUSTER"] as const;

/** Stores of accounts and events; an absent one is in the data directory. */
export type StoreSettings = Partial<Readonly<Record<(typeof SETTINGS)[number], string>>>;

type Environment = Readonly<Record<string, string | undefined>>;

const HEAD =
	"# Where accounts and events are, as `footfall move` has written it. The environment and .env go before it.\n";

/** The file in a data directory that tells where its accounts and events have moved to. */
export const storesFile = (dataDir: string): string => join(dataDir, "stores.env");

/** Content of the file; empty if there is none. */
export function readStores(dataDir: string): StoreSettings {
	const file = storesFile(dataDir);
	if (!existsSync(file)) return {};
	const read = parseEnv(readFileSync(file, "utf8"));
	return Object.fromEntries(
		SETTINGS.flatMap((name) => {
			const value = read[name]?.trim() ?? "";
			return value === "" ? [] : [[name, value]];
		}),
	);
}

/** Writes the file, at once and for good; it goes where everything is in the data directory. */
export async function writeStores(dataDir: string, stores: StoreSettings): Promise<void> {
	const lines = SETTINGS.flatMap((name) => {
		const value = stores[name];
		// Within the quotes nothing has a meaning; in an address one stands for itself either way.
		return value === undefined ? [] : [`${name}='${value.replaceAll("'", "%27")}'\n`];
	});
	if (lines.length > 0) {
		await writeAtomic(storesFile(dataDir), [Buffer.from(HEAD + lines.join(""))]);
		return;
	}
	await rm(storesFile(dataDir), { force: true });
	await syncDirectory(dataDir);
}

/** An environment with what the file says where the environment itself says nothing. */
export function withStores(env: Environment, dataDir: string): Record<string, string | undefined> {
	const missing = Object.entries(readStores(dataDir)).filter(([name]) => (env[name] ?? "").trim() === "");
	return { ...env, ...Object.fromEntries(missing) };
}
