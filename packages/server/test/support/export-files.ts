import { readdirSync } from "node:fs";
import { join } from "node:path";

/** Names of the stored files of a service. */
export function filesBelow(dataDir: string): readonly string[] {
	try {
		return readdirSync(join(dataDir, "exports"));
	} catch {
		return [];
	}
}
