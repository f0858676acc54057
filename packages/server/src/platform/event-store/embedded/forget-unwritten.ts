import { existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { TOKENS, tokensWithRows } from "../insert-tokens.ts";

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
