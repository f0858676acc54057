import { accessLog } from "./access-log/index.ts";
import type { ImportFormat, ImportSource } from "./format.ts";

/** The formats by their names. */
export const importFormats: Readonly<Partial<Record<ImportSource, ImportFormat>>> = {
	access_log: accessLog,
};
