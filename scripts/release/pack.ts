import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { npm } from "./npm.ts";
import { packageName, stagePackage } from "./stage.ts";

/** A file for the registry. */
export interface PackedFile {
	readonly path: string;
	/** Its files, in order. */
	readonly files: readonly string[];
}

/** Packs server, tracker and client into `folder`; `stage` is the folder that the server was packed from. */
export async function packAll(
	root: string,
	folder: string,
): Promise<{ server: PackedFile; tracker: PackedFile; client: PackedFile; stage: string }> {
	const stage = join(folder, packageName);
	mkdirSync(folder, { recursive: true });
	await stagePackage(root, stage);
	return {
		server: packFolder(stage, folder),
		tracker: packFolder(join(root, "packages/tracker"), folder),
		client: packFolder(join(root, "packages/client"), folder),
		stage,
	};
}

function packFolder(from: string, to: string): PackedFile {
	const [packed]: { filename: string; files: { path: string }[] }[] = JSON.parse(
		npm(["pack", "--json", "--ignore-scripts", "--pack-destination", to], from),
	);
	if (packed === undefined) throw new Error(`npm packed nothing from ${from}`);
	return { path: join(to, packed.filename), files: packed.files.map(({ path }) => path).sort() };
}
