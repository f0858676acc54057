/** What people keep for their reports. */
export type ReportingTables = {
	/** Saved segments. */
	segments: {
		id: string;
		site_id: string;
		/** Once a site. */
		name: string;
		display_name: string;
		description: string | null;
		color: string | null;
		/** JSON. */
		filters: string;
		created_by: number | null;
		created_at: number;
		updated_at: number;
	};
};
