/** Backups: the data as they were at one moment, in a directory or a bucket, and back from there. */

export type { Manifest, ServerBackup } from "./manifest.ts";
export { BackupError } from "./manifest.ts";
export { checkContent, checkPieces, findBackup, listBackups, restoreBackup } from "./read-backup.ts";
export { scheduleBackups } from "./scheduled-backup.ts";
export type { BackupPlace } from "./server-events.ts";
export { databaseOf, type EventServer, restoreServerBackup, serverBackupFaults } from "./server-events-store.ts";
export {
	newBackupId,
	removeSnapshot,
	removeSnapshots,
	type Snapshot,
	type SnapshotDeps,
	snapshotsFolder,
	takeSnapshot,
} from "./snapshot.ts";
export { askSnapshot, registerSnapshots } from "./snapshot-jobs.ts";
export { insertRun, selectLastRun } from "./store.ts";
export { type WrittenBackup, writeBackup } from "./write-backup.ts";
