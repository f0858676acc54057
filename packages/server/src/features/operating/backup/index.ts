/** Backups: the data as they were at one moment, in a directory or a bucket, and back from there. */

export { askSnapshot, registerSnapshots, scheduleBackups } from "./backup-jobs.ts";
export { BackupError, type Manifest, type ServerBackup } from "./manifest.ts";
export { checkContent, checkPieces, findBackup, listBackups, restoreBackup } from "./read-backup.ts";
export {
	type BackupPlace,
	databaseOf,
	type EventServer,
	restoreServerBackup,
	serverBackupFaults,
} from "./server-events-store.ts";
export {
	newBackupId,
	removeSnapshot,
	removeSnapshots,
	type Snapshot,
	type SnapshotDeps,
	snapshotsFolder,
	takeSnapshot,
} from "./snapshot.ts";
export { insertRun, selectLastRun } from "./store.ts";
export { type WrittenBackup, writeBackup } from "./write-backup.ts";
