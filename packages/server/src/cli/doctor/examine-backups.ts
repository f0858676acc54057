import { selectLastRun } from "../../features/operating/backup/index.ts";
import { nextTick } from "../../platform/jobs/schedules.ts";
import { HOUR_MS } from "../../platform/lib/durations.ts";
import { findingsOf } from "./finding.ts";
import type { Examine } from "./patient.ts";

/** How long after its time a backup may still be on its way. */
const ON_ITS_WAY_MS = 6 * HOUR_MS;

const backups = findingsOf("backups");

/** Backups that are made by themselves: when the last one was made, and whether that is as often as it should be. */
export const examineBackups: Examine = async ({ config, metadata, clock }) => {
	if (metadata === undefined) return [];
	if (config.backupTo === undefined) {
		return [backups.note("No backups are made by themselves", "BACKUP_TO names where they go")];
	}
	// Tables of an older version are told of elsewhere.
	const [last, done] = await Promise.all([selectLastRun(metadata), selectLastRun(metadata, "done")]).catch(() => []);
	if (last?.status === "failed") {
		return [
			backups.fault("The last backup failed", "Its log line and the mail to superadmins say why; it is tried again"),
		];
	}
	if (done === undefined) {
		const fix = "A process with the role jobs makes the first one at BACKUP_AT; footfall backup makes one now";
		return [backups.note("No backup was made yet", fix)];
	}
	const age = Math.floor((clock.now() - done.ended_at) / HOUR_MS);
	const told = `The last backup was made ${age} hours ago`;
	const isLate = clock.now() > nextTick(config.backupAt, done.ended_at) + ON_ITS_WAY_MS;
	return [
		isLate ? backups.warning(told, "Let a process run with the role jobs, and look at its log") : backups.ok(told),
	];
};
