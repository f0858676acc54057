import { join, resolve } from "node:path";
import { type Clock, systemClock } from "../lib/clock.ts";
import type { FileStore } from "./file-store.ts";
import { openLocalDirectory } from "./local-directory.ts";
import { openS3Store } from "./s3-store.ts";

/** Where files are kept. */
interface FileStoreConfig {
	/** An S3 bucket; absent = a directory below `dataDir`. */
	readonly s3Url: string | undefined;
	readonly dataDir: string;
	readonly clock: Clock;
}

/**
 * The files of exports or imports: in a folder of `DATA_DIR`, or in the bucket that `S3_URL` names. Throws for an address that
 * names none.
 */
export const openFileStore = ({ s3Url, dataDir, clock }: FileStoreConfig, folder: "exports" | "imports"): FileStore =>
	s3Url === undefined ? openLocalDirectory(join(dataDir, folder)) : openS3Store(s3Url, clock);

/** Whether a place that an operator names is a bucket, as in `S3_URL`, and no directory. */
export const isBucket = (place: string): boolean => /^(s3|https?):\/\//.test(place);

/** Files at a place that an operator names: a directory, or a bucket as in `S3_URL`. Throws for an address that names none. */
export const openFilesAt = (place: string): FileStore =>
	isBucket(place) ? openS3Store(place, systemClock) : openLocalDirectory(resolve(place));
