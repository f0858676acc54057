import type { Generated } from "kysely";

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
