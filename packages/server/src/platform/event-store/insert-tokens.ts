import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** The folder of a table in which the engine notes the tokens of inserts: a line each, `ADD`, part and token, with tabs between. */
export const TOKENS = "deduplication_logs";

/** The partition of a part and the blocks of it whose rows it has. */
const partOf = (name: string) => {
	const [, partition, first, last] = /^([^_]+)_(\d+)_(\d+)_\d+(?:_\d+)?$/.exec(name) ?? [];
	return partition === undefined ? undefined : { partition, first: Number(first), last: Number(last) };
};

/**
 * Of a log of tokens the lines of inserts whose rows are in parts of these names, merged ones too. The engine notes a token
 * before the part is there: a token without its rows would have them dropped when they come again.
 */
export function tokensWithRows(parts: readonly string[]): (log: string) => string {
	const byPartition = Map.groupBy(
		parts.flatMap((name) => partOf(name) ?? []),
		({ partition }) => partition,
	);
	const isThere = (line: string) => {
		const part = partOf(line.split("\t", 2)[1] ?? "");
		const held = part === undefined ? [] : (byPartition.get(part.partition) ?? []);
		return held.some(({ first, last }) => part !== undefined && first <= part.first && part.last <= last);
	};
	return (log) =>
		log
			.split(/(?<=\n)/)
			.filter((line) => line.endsWith("\n") && isThere(line))
			.join("");
}

const foldersIn = (directory: string): string[] =>
	readdirSync(directory, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : []));

/**
 * Removes the tokens of inserts that a killed process has noted and not written, so that their repetition counts. It has to come
 * before the engine is opened: the number of a part that never was is given to another one.
 */
export function forgetUnwritten(directory: string): void {
	const store = join(directory, "store");
	if (!existsSync(store)) return;
	for (const prefix of foldersIn(store)) {
		for (const table of foldersIn(join(store, prefix))) forgetInTable(join(store, prefix, table));
	}
}

function forgetInTable(table: string): void {
	const logs = join(table, TOKENS);
	if (!existsSync(logs)) return;
	const keep = tokensWithRows(readdirSync(table));
	for (const name of readdirSync(logs)) {
		const file = join(logs, name);
		const log = readFileSync(file, "utf8");
		const kept = keep(log);
		if (kept === log) continue;
		// Beside the folder, in which the engine takes every file for a log.
		const whole = join(table, `${name}.new`);
		writeFileSync(whole, kept, { mode: 0o600, flush: true });
		renameSync(whole, file);
	}
}
