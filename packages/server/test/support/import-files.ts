import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type ZippedFile, zipFile } from "./zip-file.ts";

const folder = fileURLToPath(new URL("../fixtures/imports/", import.meta.url));

/** A file that another tool exported. */
export const exportedFile = (name: string): Buffer => readFileSync(`${folder}${name}`);

/** The files of a Plausible export. */
export const plausibleFiles = (): ZippedFile[] =>
	readdirSync(`${folder}plausible`)
		.sort()
		.map((name) => ({ name, content: exportedFile(`plausible/${name}`) }));

/** The archive as Plausible exports it. */
export const plausibleArchive = (): Buffer => zipFile(plausibleFiles());
