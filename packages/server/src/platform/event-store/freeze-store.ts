import { existsSync } from "node:fs";
import { copyFile, mkdir, readdir, readFile, readlink, symlink, writeFile } from "node:fs/promises";
import { basename, dirname, join, relative, resolve } from "node:path";
import type { EventStore } from "./event-store.ts";
import { TOKENS, tokensWithRows } from "./insert-tokens.ts";

const NAME = /^[a-z0-9-]{1,60}$/;

/** The engine writes other characters as their codes. */
const plain = (name: string): string => name.replaceAll("-", "_");

/** Where the engine puts what it froze under a name; `directory` is the engine's own. */
export const frozenDirectory = (directory: string, name: string): string => join(directory, "shadow", plain(name));

/** Freezes the embedded store: a directory of hard links that another engine can open, with the tokens of its inserts. The caller removes it. */
export async function freezeStore(store: EventStore, directory: string, name: string) {
	if (!NAME.test(name)) throw new TypeError("Not a name of a frozen store");
	const frozen = frozenDirectory(directory, name);
	const named = await store.query<{ name: string }>({
		sql: "SELECT name FROM system.tables WHERE database = currentDatabase() AND engine LIKE '%MergeTree' ORDER BY name",
	});
	for (const table of named) await store.command(`ALTER TABLE \`${table.name}\` FREEZE WITH NAME '${plain(name)}'`);
	const places = [...(await linksIn(directory, "metadata")), ...(await databasesIn(directory))];
	for (const { link, target } of places) {
		await mkdir(dirname(join(frozen, link)), { recursive: true, mode: 0o700 });
		await symlink(await readlink(join(directory, link)), join(frozen, link));
		await copyRemembered(join(directory, target), join(frozen, target));
	}
	const ofTables = places.filter(({ link }) => link.startsWith("data"));
	const tables = ofTables.map(
		async ({ link, target }) => [basename(link), await frozenTable(join(frozen, target))] as const,
	);
	return { directory: frozen, tables: new Map(await Promise.all(tables)) };
}

async function frozenTable(table: string) {
	let rows = 0;
	const parts: string[] = [];
	for (const part of await readdir(table)) {
		const count = join(table, part, "count.txt");
		if (!existsSync(count)) continue;
		rows += Number(await readFile(count, "utf8"));
		parts.push(part);
	}
	return { rows, parts };
}

async function databasesIn(directory: string) {
	const databases = await readdir(join(directory, "data"));
	return (await Promise.all(databases.map((database) => linksIn(directory, join("data", database))))).flat();
}

/** Links of the engine's directory, each with the directory in it that it names. */
async function linksIn(directory: string, folder: string) {
	const entries = await readdir(join(directory, folder), { withFileTypes: true });
	const links = entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => join(folder, name));
	return Promise.all(
		links.map(async (link) => {
			const target = resolve(dirname(join(directory, link)), await readlink(join(directory, link)));
			return { link, target: relative(directory, target) };
		}),
	);
}

/** Changing files beside the parts: the tables' statements, and tokens of inserts. */
async function copyRemembered(from: string, to: string): Promise<void> {
	await mkdir(to, { recursive: true, mode: 0o700 });
	for (const entry of await readdir(from, { withFileTypes: true })) {
		const [source, target] = [join(from, entry.name), join(to, entry.name)];
		if (entry.isFile() && /\.(sql|txt)$/.test(entry.name) && !isMutation(entry.name)) await copyFile(source, target);
		if (entry.name === TOKENS) await copyTokens(source, target, await readdir(to));
		if (entry.name === "detached") await mkdir(target, { recursive: true });
	}
}

/** The tokens of inserts that are in frozen parts, and no others, as somebody else may insert in between. */
async function copyTokens(from: string, to: string, parts: readonly string[]): Promise<void> {
	await mkdir(to, { recursive: true, mode: 0o700 });
	const keep = tokensWithRows(parts);
	for (const file of await readdir(from)) {
		await writeFile(join(to, file), keep(await readFile(join(from, file), "utf8")), { mode: 0o600 });
	}
}

/** A running one is started again by its caller. */
const isMutation = (name: string): boolean => basename(name).startsWith("mutation_");
