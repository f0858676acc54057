import { createReadStream, createWriteStream } from "node:fs";
import { lstat, mkdir, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { dirname, join, posix, resolve, sep } from "node:path";
import { pipeline } from "node:stream/promises";
import tar from "tar-stream";
import { BackupError } from "./backup-error.ts";

/** Files up to this are read as a whole; pieces that are handed on are at least as large. */
const LITTLE = 256 * 1024;

/** Something that an archive holds. */
export interface Entry {
	/** In the archive, with slashes. */
	readonly name: string;
	/** Where it lies. */
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
		yield* inLargePieces(pack as AsyncIterable<Uint8Array>);
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

async function* inLargePieces(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
	let waiting: Uint8Array[] = [];
	let bytes = 0;
	for await (const piece of pieces) {
		waiting.push(piece);
		bytes += piece.byteLength;
		if (bytes < LITTLE) continue;
		yield Buffer.concat(waiting);
		[waiting, bytes] = [[], 0];
	}
	if (bytes > 0) yield Buffer.concat(waiting);
}

/** Writes what an archive holds below a directory, for this user alone. Nothing may lie outside of it. */
export async function unpack(pieces: AsyncIterable<Uint8Array>, directory: string): Promise<void> {
	const extract = tar.extract();
	const reading = pipeline(pieces, extract);
	reading.catch(() => undefined);
	for await (const entry of extract) {
		const { name, type, linkname } = entry.header;
		const path = within(directory, name);
		await mkdir(type === "directory" ? path : dirname(path), { recursive: true, mode: 0o700 });
		if (type === "file") await pipeline(entry, createWriteStream(path, { mode: 0o600, flags: "wx" }));
		else entry.resume();
		if (type === "symlink") {
			within(directory, posix.join(posix.dirname(name), linkname ?? ""));
			await symlink(linkname ?? "", path);
		}
	}
	await reading;
}

function within(directory: string, name: string): string {
	const path = resolve(directory, name);
	if (!path.startsWith(resolve(directory) + sep)) throw new BackupError("The backup holds a path that leads out of it");
	return path;
}
