import {
	close,
	constants,
	fdatasync,
	ftruncate,
	mkdir,
	open,
	read,
	readdir,
	rename,
	stat,
	unlink,
	write,
} from "node:fs";
import { dirname } from "node:path";
import { promisify } from "node:util";
import { syncDirectory } from "../../../../platform/files/write-atomic.ts";

/** File system of the spool; each call may fail at any time, and `write` and `read` may be partial. */
export interface SpoolFiles {
	/** `read` an existing file, make a `new` one, `update` one that may exist already, or truncate it (`anew`). */
	open(path: string, mode: "read" | "new" | "update" | "anew"): Promise<number>;
	close(file: number): Promise<void>;
	/** The number of bytes that were read: 0 at the end of the file. */
	read(file: number, into: Uint8Array, position: number): Promise<number>;
	/** The number of bytes that were written. */
	write(file: number, bytes: Uint8Array, position: number): Promise<number>;
	datasync(file: number): Promise<void>;
	truncate(file: number, length: number): Promise<void>;
	size(path: string): Promise<number>;
	list(directory: string): Promise<string[]>;
	makeDirectory(path: string): Promise<void>;
	rename(from: string, to: string): Promise<void>;
	remove(path: string): Promise<void>;
	syncDirectory(path: string): Promise<void>;
}

const flags = {
	read: constants.O_RDONLY,
	new: constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
	update: constants.O_RDWR | constants.O_CREAT,
	anew: constants.O_RDWR | constants.O_CREAT | constants.O_TRUNC,
} as const;

const openFile = promisify(open);
const statFile = promisify(stat);
const makeDirectory = promisify(mkdir);
const readSome = promisify(read);
const writeSome = promisify(write);

export const machineFiles: SpoolFiles = {
	open: (path, mode) => openFile(path, flags[mode], 0o600),
	close: promisify(close),
	read: async (file, into, position) => (await readSome(file, into, 0, into.length, position)).bytesRead,
	write: async (file, bytes, position) => (await writeSome(file, bytes, 0, bytes.length, position)).bytesWritten,
	datasync: promisify(fdatasync),
	truncate: promisify(ftruncate),
	size: async (path) => (await statFile(path)).size,
	list: promisify(readdir),
	makeDirectory: async (path) => void (await makeDirectory(path, { recursive: true })),
	rename: promisify(rename),
	remove: promisify(unlink),
	syncDirectory,
};

/** The code of a system error, such as `ENOSPC`; the name of any other. */
export function faultCode(error: unknown): string {
	if (!(error instanceof Error)) return "unknown";
	return "code" in error && typeof error.code === "string" ? error.code : error.name;
}

/** The answer, or another one where the file or folder is not there. */
export const unlessMissing = <Answer>(answer: Promise<Answer>, otherwise: Answer): Promise<Answer> =>
	answer.catch((error: unknown) => {
		if (faultCode(error) === "ENOENT") return otherwise;
		throw error;
	});

/** Writes all bytes, in as many pieces as the system makes of them. */
export async function writeWhole(files: SpoolFiles, file: number, bytes: Uint8Array, position: number): Promise<void> {
	for (let done = 0; done < bytes.length; ) {
		const count = await files.write(file, done === 0 ? bytes : bytes.subarray(done), position + done);
		if (count === 0) throw new Error("The file system wrote nothing");
		done += count;
	}
}

/** The bytes of a file from `from` up to `to`, or up to its end. */
export async function readPiece(files: SpoolFiles, path: string, from: number, to: number): Promise<Buffer> {
	const file = await files.open(path, "read");
	try {
		const bytes = Buffer.allocUnsafe(to - from);
		let length = 0;
		while (length < bytes.length) {
			const count = await files.read(file, bytes.subarray(length), from + length);
			if (count === 0) break;
			length += count;
		}
		return bytes.subarray(0, length);
	} finally {
		await files.close(file);
	}
}

/** Writes a file that stands durably under its name with all its bytes, or not at all. */
export async function writeDurably(files: SpoolFiles, path: string, bytes: Uint8Array): Promise<void> {
	const part = `${path}.part`;
	const file = await files.open(part, "anew");
	try {
		await writeWhole(files, file, bytes, 0);
		await files.datasync(file);
	} finally {
		await files.close(file);
	}
	await files.rename(part, path);
	await files.syncDirectory(dirname(path));
}
