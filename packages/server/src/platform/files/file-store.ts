import type { Readable } from "node:stream";

/** The bytes of a stored file, as they are read. */
export interface StoredFile {
	readonly bytes: number;
	/** Destroy it when it is not read to its end. */
	readonly content: Readable;
}

/** Files by their names, whole or not at all: a directory of this machine or S3. The service chooses the names, which `checkFileName` admits. */
export interface FileStore {
	/** Stores the pieces as they come; the number of bytes. Throws, with nothing stored, when a piece cannot be had or the signal aborts. */
	write(name: string, pieces: AsyncIterable<Uint8Array>, signal?: AbortSignal): Promise<number>;
	/** Undefined when there is no such file. */
	read(name: string): Promise<StoredFile | undefined>;
	/** Removes a file with what an interrupted `write` of it has left on this machine; done already, it does nothing. */
	remove(name: string): Promise<void>;
	/** The names of all files, in no order. */
	list(): Promise<string[]>;
	/** Bytes that can be stored before the disk is nearly full. */
	room(): Promise<number>;
	/** Throws when files cannot be stored. */
	check(): Promise<void>;
}

const FILE_NAME = /^[a-z0-9][a-z0-9-]{0,100}\.[a-z0-9]{1,10}$/;

/** Throws for a name that could mean something outside the store. */
export function checkFileName(name: string): void {
	if (!isFileName(name)) throw new TypeError("Not a name of a stored file");
}

/** True for what may be the name of a stored file. */
export const isFileName = (name: string): boolean => FILE_NAME.test(name);

/** Files could not be stored or read. The message names no address, as that of an S3 store holds a key. */
export class FileStoreError extends Error {
	override readonly name = "FileStoreError";
	/** For the log, where messages do not stand, such as `http_403`. */
	readonly code: string;

	constructor(code: string, message: string, options?: ErrorOptions) {
		super(message, options);
		this.code = code;
	}
}
