import { withFile } from "./with-file.ts";

/** Makes created, renamed and removed files of a directory durable: after this a power cut does not take a name back. */
export const syncDirectory = (path: string): Promise<void> => withFile(path, "r", (directory) => directory.sync());
