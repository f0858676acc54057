import { createHash } from "node:crypto";
import type { FileStore } from "../../../platform/files/file-store.ts";
import { uuid } from "../../../platform/lib/ids.ts";

/** A file that lies in the store. */
export interface KeptFile {
	/** As the user calls it. */
	readonly name: string;
	readonly storedName: string;
	readonly bytes: number;
	readonly sha256: string;
}

const MAX_NAME = 255;

/** A name in the store that nothing else has. */
export const newStoredName = (): string => `import-${uuid()}.bin`;

/** Stores a file as its pieces come. */
export async function keepFile(
	files: Pick<FileStore, "write">,
	source: AsyncIterable<Uint8Array>,
	{ name, storedName }: Pick<KeptFile, "name" | "storedName">,
): Promise<KeptFile> {
	const hash = createHash("sha256");
	async function* pieces() {
		for await (const piece of source) {
			hash.update(piece);
			yield piece;
		}
	}
	const bytes = await files.write(storedName, pieces());
	return { name, storedName, bytes, sha256: hash.digest("hex") };
}

/** The name as it is shown: nothing is ever opened by it. */
export function shownName(name: string | undefined): string {
	const clean = (name ?? "").replace(/\p{Cc}/gu, "").trim();
	return clean === "" ? "file" : clean.slice(0, MAX_NAME);
}
