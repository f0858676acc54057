import { once } from "node:events";
import { constants, createReadStream, fstat } from "node:fs";
import { access, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { promisify } from "node:util";
import { type Clock, systemClock } from "../lib/clock.ts";
import { diskRoom } from "./disk-room.ts";
import { checkFileName, type FileStore, isFileName, type StoredFile } from "./file-store.ts";
import { openS3Store } from "./s3-store.ts";
import { partOf, writeAtomic } from "./write-atomic.ts";

/** The files of exports or imports, in `DATA_DIR` or in the bucket of `S3_URL`. Throws for an address that names none. */
export const openFileStore = (
	{ s3Url, dataDir, clock }: { s3Url: string | undefined; dataDir: string; clock: Clock },
	folder: "exports" | "imports",
): FileStore => (s3Url === undefined ? openLocalDirectory(join(dataDir, folder)) : openS3Store(s3Url, clock));

/** Whether a place that an operator names is a bucket, as in `S3_URL`, and no directory. */
export const isBucket = (place: string): boolean => /^(s3|https?):\/\//.test(place);

/** Files at a place that an operator names: a directory, or a bucket as in `S3_URL`. Throws for an address that names none. */
export const openFilesAt = (place: string): FileStore =>
	isBucket(place) ? openS3Store(place, systemClock) : openLocalDirectory(resolve(place));

/** Files in a directory of this machine, which is made when it is first needed. */
export function openLocalDirectory(directory: string): FileStore {
	const pathOf = (name: string) => {
		checkFileName(name);
		return join(directory, name);
	};
	const make = () => mkdir(directory, { recursive: true, mode: 0o700 });
	return {
		write: async (name, pieces, signal) => {
			const path = pathOf(name);
			await make();
			return writeAtomic(path, pieces, signal);
		},
		read: (name) => readFile(pathOf(name)),
		remove: async (name) => {
			const path = pathOf(name);
			await Promise.all([rm(path, { force: true }), rm(partOf(path), { force: true })]);
		},
		list: async () => {
			const names = await readdir(directory).catch(orNone<string[]>([]));
			return names.filter(isFileName);
		},
		room: async () => {
			const room = await diskRoom(directory).catch(() => diskRoom(dirname(directory)));
			return room.spareBytes;
		},
		check: async () => {
			await make();
			await access(directory, constants.W_OK);
		},
	};
}

async function readFile(path: string): Promise<StoredFile | undefined> {
	const content = createReadStream(path);
	try {
		const [descriptor] = await once(content, "open");
		const { size } = await promisify(fstat)(descriptor);
		return { bytes: size, content };
	} catch (error) {
		content.destroy();
		return orNone(undefined)(error as NodeJS.ErrnoException);
	}
}

const orNone =
	<T>(none: T) =>
	(error: NodeJS.ErrnoException): T => {
		if (error.code === "ENOENT") return none;
		throw error;
	};
