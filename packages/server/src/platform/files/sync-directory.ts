import { open } from "node:fs/promises";

/** Makes created, renamed and removed files of a directory durable: after this a power cut does not take a name back. */
export async function syncDirectory(path: string): Promise<void> {
	const directory = await open(path, "r");
	try {
		await directory.sync();
	} finally {
		await directory.close();
	}
}
