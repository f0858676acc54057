import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { lstat, mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join, posix } from "node:path";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { gathered } from "../../../platform/lib/gathered.ts";
import { BackupError } from "./manifest.ts";

/** Files up to this are read as a whole; pieces that are handed on are at least as large. */
const LITTLE = 256 * 1024;

/** Entries of a data directory that backups hold. */
const contents = [
	"collector-id",
	"events",
	"imports",
	"metadata.sqlite",
	"secret.key",
	"secret.key.sealed",
	"sessions",
	"spool",
];

/** Something that an archive holds. */
export interface Entry {
	/** In the archive, with slashes. */
	readonly name: string;
	readonly path: string;
}

/** All that lies below a directory, links as links; `isWanted` is asked with names in the archive. */
export async function* entriesBelow(
	directory: string,
	name: string,
	isWanted: (name: string) => boolean = () => true,
): AsyncGenerator<Entry> {
	for (const found of (await readdir(directory, { withFileTypes: true })).sort((a, b) => (a.name < b.name ? -1 : 1))) {
		const entry = { name: posix.join(name, found.name), path: join(directory, found.name) };
		if (!isWanted(entry.name)) continue;
		yield entry;
		if (found.isDirectory()) yield* entriesBelow(entry.path, entry.name, isWanted);
	}
}

/** The bytes of an archive with these entries. */
export async function* packed(entries: AsyncIterable<Entry>): AsyncGenerator<Uint8Array> {
	const pack = tar.pack();
	const feeding = feed(pack, entries).then(
		() => pack.finalize(),
		(error: Error) => pack.destroy(error),
	);
	try {
		yield* gathered(pack as AsyncIterable<Uint8Array>, () => LITTLE);
	} finally {
		pack.destroy();
		await feeding;
	}
}

async function feed(pack: tar.Pack, entries: AsyncIterable<Entry>): Promise<void> {
	for await (const { name, path } of entries) {
		const found = await lstat(path);
		const mtime = found.mtime;
		if (found.isDirectory()) pack.entry({ name: `${name}/`, type: "directory", mode: 0o700, mtime });
		else if (found.isSymbolicLink()) pack.entry({ name, type: "symlink", linkname: await readlink(path), mtime });
		else if (found.isFile()) await addFile(pack, { name, mode: 0o600, mtime, size: found.size }, path);
	}
}

async function addFile(pack: tar.Pack, header: Partial<tar.Header> & { name: string }, path: string): Promise<void> {
	const size = header.size ?? 0;
	if (size > LITTLE)
		return pipeline(createReadStream(path, { end: size - 1, highWaterMark: LITTLE }), pack.entry(header));
	const bytes = await readFile(path);
	// One that grows has the length that it had.
	const { promise, resolve: done, reject } = Promise.withResolvers<void>();
	pack.entry(header, bytes.subarray(0, size), (error) => (error ? reject(error) : done()));
	return promise;
}

/** A symbolic link of an archive, not made yet. */
export interface Link {
	readonly name: string;
	readonly target: string;
}

/**
 * Writes the files and directories of an archive below a directory, for this user alone, and answers its symbolic links: made after
 * all archives by `makeLinks`, no file is written through one. Throws a `BackupError` for anything that the program does not pack.
 */
export async function unpack(pieces: AsyncIterable<Uint8Array>, directory: string): Promise<Link[]> {
	const extract = tar.extract();
	const reading = pipeline(pieces, extract);
	reading.catch(() => undefined);
	const links: Link[] = [];
	for await (const entry of extract) {
		const { name, type, linkname } = entry.header;
		if (!isPacked(name)) throw new BackupError(`${name} is no path of a backup`);
		const path = join(directory, name);
		if (type === "file" || type === "directory") {
			await mkdir(type === "directory" ? path : dirname(path), { recursive: true, mode: 0o700 });
		}
		if (type === "file") {
			await pipeline(entry, createWriteStream(path, { mode: 0o600, flags: "wx" }));
			continue;
		}
		entry.resume();
		if (type === "symlink") links.push({ name, target: linkname ?? "" });
		else if (type !== "directory") throw new BackupError(`${name} is a ${type}, which no backup holds`);
	}
	await reading;
	return links;
}

/** Makes the links of archives: only within the engine's directory, where it has them itself. */
export async function makeLinks(links: readonly Link[], directory: string): Promise<void> {
	const names = new Set(links.map(({ name }) => name));
	for (const { name, target } of links) {
		// With `..` behind a name, the target could lead through another link to somewhere else.
		const isPlain = !posix.isAbsolute(target) && posix.normalize(target) === target;
		const isWithin = isInEvents(name) && isInEvents(posix.join(posix.dirname(name), target));
		const isBelowLink = [...above(name)].some((parent) => names.has(parent));
		const path = join(directory, name);
		if (!isPlain || !isWithin || isBelowLink || existsSync(path)) {
			throw new BackupError(`${name} is a link that no backup holds`);
		}
		await mkdir(dirname(path), { recursive: true, mode: 0o700 });
		await symlink(target, path);
	}
}

const isPacked = (name: string): boolean =>
	posix.normalize(name) === name && !/^[./]/.test(name) && contents.includes(name.split("/")[0] ?? "");

const isInEvents = (name: string): boolean => name.startsWith("events/");

function* above(name: string): Generator<string> {
	for (let at = name.lastIndexOf("/"); at > 0; at = name.lastIndexOf("/", at - 1)) yield name.slice(0, at);
}
