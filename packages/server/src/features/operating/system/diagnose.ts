import type { Row } from "../../../../migrations/metadata/tables/index.ts";
import type { Config } from "../../../platform/config/config.ts";
import type { DiskRoom } from "../../../platform/files/disk-room.ts";
import { nextTick } from "../../../platform/jobs/schedules.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { ProbeFacts } from "../../../platform/lib/probe.ts";

export const warningCodes = [
	"untrusted_proxy",
	"https_unseen",
	"shared_addresses",
	"no_mail_server",
	"no_backups",
	"no_backup_yet",
	"backup_failed",
	"backup_late",
	"disk_nearly_full",
	"unreadable_amounts",
] as const;

/** A warning, in the words of `footfall doctor`. */
export interface Warning {
	readonly code: (typeof warningCodes)[number];
	readonly level: "note" | "warning" | "fault";
	readonly message: string;
	readonly fix: string;
	/** The number that the message names. */
	readonly count?: number;
}

/** A warning, or a finding without a fault in words. */
export type Diagnosis = Warning | { readonly level: "ok"; readonly message: string };

/** How requests by an address reach the service. */
export function diagnoseProxy(
	{ isSecure, isForwarded, isTrusted, sharesAddresses }: ProbeFacts,
	isHttps: boolean,
): Diagnosis {
	if (isForwarded && !isTrusted) {
		const fix = "Add the proxy's address to TRUST_PROXY: without it all visitors count as one";
		const message = "Requests come through a proxy that is not trusted";
		return { code: "untrusted_proxy", level: "fault", message, fix };
	}
	if (isHttps && !isSecure) {
		const fix = "Set X-Forwarded-Proto (and X-Forwarded-For) in the proxy, and add its address to TRUST_PROXY";
		return { code: "https_unseen", level: "fault", message: "The service cannot see that browsers use HTTPS", fix };
	}
	if (sharesAddresses) {
		const fix = "Set X-Forwarded-For in the proxy or load balancer, and add all its addresses to TRUST_PROXY";
		const message = "Almost all hits come from one or a few addresses: their visitors count as one";
		return { code: "shared_addresses", level: "warning", message, fix };
	}
	return { level: "ok", message: `PUBLIC_URL reaches this service${isForwarded ? " through a trusted proxy" : ""}` };
}

export const noMailServer: Warning = {
	code: "no_mail_server",
	level: "note",
	message: "Mails are written to DATA_DIR/outbox and not sent",
	fix: "Set SMTP_URL to send invitations, password resets and alerts",
};

export type EndedBackup = Pick<Row<"backup_runs">, "status" | "ended_at" | "bytes" | "error_message">;

/** How long after its time a backup may still be on its way. */
const ON_ITS_WAY_MS = 6 * HOUR_MS;

/** Scheduled backups, given the last one and the last that succeeded. */
export function diagnoseBackups(
	{ backupTo, backupAt }: Pick<Config, "backupTo" | "backupAt">,
	{ last, done, nowMs }: { last: EndedBackup | undefined; done: EndedBackup | undefined; nowMs: number },
): Diagnosis {
	if (backupTo === undefined) {
		const fix = "Set BACKUP_TO to a directory or bucket";
		return { code: "no_backups", level: "note", message: "No scheduled backups", fix };
	}
	if (last?.status === "failed") {
		const fix = "See the log and the mail to superadmins for the error; it will be retried";
		return { code: "backup_failed", level: "fault", message: "The last backup failed", fix };
	}
	if (done === undefined) {
		const fix = "The first one runs at BACKUP_AT in a process with the role jobs; footfall backup runs one now";
		return { code: "no_backup_yet", level: "note", message: "No backup yet", fix };
	}
	const count = Math.floor((nowMs - done.ended_at) / HOUR_MS);
	const message = `The last backup is ${count} hours old`;
	if (nowMs <= nextTick(backupAt, done.ended_at) + ON_ITS_WAY_MS) return { level: "ok", message };
	const fix = "Run a process with the role jobs, and check its log";
	return { code: "backup_late", level: "warning", message, fix, count };
}

const GIB = 1024 ** 3;

/** The disk of a directory. */
export function diagnoseDisk({ state, freeBytes, totalBytes }: DiskRoom, directory: string): Diagnosis {
	const room = `${(freeBytes / GIB).toFixed(1)} GiB of ${(totalBytes / GIB).toFixed(1)}`;
	const message = `${room} are free on the disk of ${directory}`;
	if (state === "enough") return { level: "ok", message };
	const fix = "Free disk space, or move DATA_DIR to a larger disk: hits are refused when the disk is full";
	return { code: "disk_nearly_full", level: state === "none" ? "fault" : "warning", message, fix };
}

export const unreadableAmounts = (count: number): Warning => ({
	code: "unreadable_amounts",
	level: "warning",
	message: count === 1 ? "1 amount could not be read today" : `${count} amounts could not be read today`,
	fix: "0 is counted instead. Send a number such as 59.90.",
	count,
});

export const warningsAmong = (found: readonly Diagnosis[]): Warning[] => found.filter((one) => one.level !== "ok");
