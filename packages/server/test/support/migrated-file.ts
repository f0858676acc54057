import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { metadataMigrations } from "../../migrations/metadata/index.ts";
import { migrateMetadata } from "../../src/platform/metadata/migrate-metadata.ts";
import { openMetadata } from "../../src/platform/metadata/open-metadata.ts";

let made: Promise<Buffer> | undefined;

/** Puts a `metadata.sqlite` with all tables, empty, into a new data directory: they are made once a process. */
export async function placeMigratedFile(dataDir: string): Promise<void> {
	made ??= make();
	writeFileSync(join(dataDir, "metadata.sqlite"), await made);
}

async function make(): Promise<Buffer> {
	const dataDir = mkdtempSync(join(tmpdir(), "footfall-tables-"));
	const metadata = await openMetadata({ dataDir });
	await migrateMetadata(metadata, metadataMigrations, 0);
	// Closing writes everything into the one file.
	await metadata.destroy();
	const bytes = readFileSync(join(dataDir, "metadata.sqlite"));
	rmSync(dataDir, { recursive: true });
	return bytes;
}
