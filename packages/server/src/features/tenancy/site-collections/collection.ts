import type { TSchema } from "typebox";
import type { Row, Tables } from "../../../../migrations/metadata/tables/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Actor, AuditDetails, AuditResource } from "../../auditing/audit-log/index.ts";
import type { Field } from "./fields.ts";

/** A collection's table: it has an `id`, a `site_id`, `created_at`, and a column for each field. */
type TableName = {
	[Name in keyof Tables]: Tables[Name] extends { id: unknown; site_id: string; created_at: number } ? Name : never;
}[keyof Tables];

/** Records that a site has a list of, which viewers read and editors change: the table, the fields, the limit and the names. */
export interface SiteCollection<Name extends TableName = TableName> {
	readonly tag: string;
	/** Of the list; a record has its id behind it. */
	readonly path: string;
	/** Name of the id in the path. */
	readonly idParam: string;
	readonly table: Name;
	/** Of one record, e.g. `Blocklist entry`. */
	readonly noun: string;
	/** Of several, e.g. `blocklist entries`. */
	readonly plural: string;
	/** Most records of a site, inactive ones included. */
	readonly limit: number;
	/** First part of the audited action, e.g. `blocklist` of `blocklist.created`. */
	readonly audit: AuditResource;
	readonly summaries: Readonly<Record<"list" | "get" | "create" | "change" | "remove", string>>;
	readonly fields: Readonly<Record<string, Field>>;
	/** The field that no two records of a site share, and its name in the refusal. */
	readonly unique?: { readonly field: string; readonly noun: string };
	/** True where a record says when it was changed last. */
	readonly isDated?: boolean;
	/** Name and order of the list that `include_inactive` widens; a collection without writes its list route itself. */
	readonly list?: {
		readonly key: string;
		readonly description?: string;
		readonly order: readonly (readonly [column: string, direction: "asc" | "desc"])[];
	};
	/** Refuses a record as it would be stored; throws 422. */
	readonly check?: (row: Omit<Row<Name>, "id" | "site_id" | "created_at" | "updated_at">) => void;
	/** Parts of a record that its fields do not give. */
	readonly more?: {
		readonly answer: Readonly<Record<string, TSchema>>;
		/** Columns of a new record. */
		readonly columns: (actor: Actor) => Readonly<Record<string, unknown>>;
		/** Reads a record with these parts. */
		readonly find: (metadata: Metadata, siteId: string, id: number) => Promise<CollectionRow | undefined>;
	};
	/** Audited facts of a new or removed record, where they are not all of its fields. */
	readonly facts?: (row: Row<Name>) => AuditDetails;
}

export interface CollectionRow {
	readonly id: number;
	readonly site_id: string;
	readonly created_at: number;
	readonly [column: string]: unknown;
}
