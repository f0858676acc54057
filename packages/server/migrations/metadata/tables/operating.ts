import type { Generated } from "kysely";

/** Actions of the operator. */
export type OperatingTables = {
	/** Backups, and attempts that failed. */
	backup_runs: {
		id: Generated<number>;
		backup_id: string;
		status: "done" | "failed";
		started_at: number;
		ended_at: number;
		/** Of all its files, and of those that were new; null when it failed. */
		bytes: number | null;
		new_bytes: number | null;
		/** Why it failed. */
		error_message: string | null;
	};
	/** Processes on this PostgreSQL that run, or ended without a word. */
	processes: {
		/** The same when the process starts again. */
		id: string;
		/** Name of its machine. */
		host: string;
		/** JSON object: the settings that all processes have to share, by their variable, and the event store's name as `event store`. */
		settings: string;
		started_at: number;
		/** Renewed every minute. */
		seen_at: number;
	};
	/** Secrets that processes on this PostgreSQL have started with. */
	server_secrets: {
		/** Derived from the secret, which it does not tell. */
		fingerprint: string;
		/** When it became the present one: the latest is. */
		noted_at: number;
	};
};
