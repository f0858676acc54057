import type { Generated } from "kysely";

type AnnotationKind = "note" | "release" | "campaign";

type SavedViewKind = "funnel" | "query" | "report";

/** Saved items of reports. */
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
	/** Annotations of days. */
	annotations: {
		id: Generated<number>;
		site_id: string;
		/** A day of the site. */
		date: string;
		/** Null = the whole day. */
		hour: number | null;
		text: string;
		kind: AnnotationKind;
		created_by: number | null;
		created_at: number;
	};
	/** Questions that people keep. */
	saved_views: {
		id: Generated<number>;
		site_id: string;
		kind: SavedViewKind;
		/** Once a site, maker and kind. */
		name: string;
		/** JSON. */
		definition: string;
		/** 1 = everybody who sees the site has it. */
		is_shared: number;
		created_by: number | null;
		created_at: number;
		updated_at: number;
	};
};
