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

/** The audit log. */
export type AuditingTables = {
	/** Rows are only ever added, and dropped by age: the database refuses anything else. */
	audit_log: {
		id: Generated<number>;
		/** The author; null = the system. */
		user_id: number | null;
		/** The superadmin who acted as the author. */
		impersonator_id: number | null;
		action: string;
		resource_type: string;
		resource_id: string | null;
		site_id: string | null;
		/** That of the site, where there is one. */
		organization_id: string | null;
		/** JSON object. */
		details: string;
		ip_address: string | null;
		created_at: number;
	};
};
