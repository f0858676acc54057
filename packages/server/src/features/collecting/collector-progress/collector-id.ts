import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { writeAtomic } from "../../../platform/files/write-atomic.ts";
import { uuid } from "../../../platform/lib/ids.ts";

/** Id of the collector of a data directory, so that a restart after a crash finds its own hits and its own name. */
export async function collectorId(dataDir: string): Promise<string> {
	const path = join(dataDir, "collector-id");
	const known = await readFile(path, "utf8").catch((error: NodeJS.ErrnoException) => {
		if (error.code === "ENOENT") return "";
		throw error;
	});
	if (/^[0-9a-f-]{36}$/.test(known)) return known;
	const id = uuid();
	await writeAtomic(path, [Buffer.from(id)]);
	return id;
}
