import { type TSchema, type TSchemaOptions, Type } from "typebox";
import type { Row, Tables } from "../../../../migrations/metadata/tables/index.ts";
import { Nullable, OneOf, Text } from "../../../platform/http/schemas.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import type { Actor, AuditDetails, AuditResource } from "../../auditing/audit-log/index.ts";

/** A table with records of sites. */
type SiteTable = {
	[Name in keyof Tables]: Tables[Name] extends { id: unknown; site_id: string; created_at: number } ? Name : never;
}[keyof Tables];

/** Records that a site has a list of, which viewers read and editors change: the table, the fields, the limit and the names. */
export interface SiteCollection<Name extends SiteTable = SiteTable> {
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
		/** Columns, each with ` desc` behind it where the highest value is first. */
		readonly order: readonly string[];
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

/** A field of a collection: in the body of a new record, of a change, in answers, and as a column. */
export interface Field {
	readonly create: TSchema;
	readonly change: TSchema;
	readonly answer: TSchema;
	/** The column's value; throws 422 for one that the schema lets through and the field does not allow. */
	readonly toColumn: (value: unknown) => unknown;
	readonly fromColumn: (column: unknown) => unknown;
}

interface FieldOptions {
	/** Value of a new record that does not give it: null, or a default that the API description names. A field without must be given. */
	readonly absent?: string | number | boolean | null | undefined;
	readonly toColumn?: Field["toColumn"];
	readonly fromColumn?: Field["fromColumn"];
}

const unchanged = (value: unknown) => value;

/** A field whose schema in requests is made with these options, which hold the default of a new record. */
export function field(
	input: (options: { readonly default?: string & number & boolean }) => TSchema,
	answer: TSchema,
	{ absent, toColumn = unchanged, fromColumn = unchanged }: FieldOptions = {},
): Field {
	const options = { ...(absent !== undefined && absent !== null && { default: absent }) } as Parameters<
		typeof input
	>[0];
	const create = input(options);
	return {
		create: absent === null ? Type.Optional(create) : create,
		change: Type.Optional(input({})),
		answer,
		toColumn,
		fromColumn,
	};
}

/** A text of so many characters; required unless it has a default. */
export function text(
	minLength: number,
	maxLength: number,
	{
		default: absent,
		canonical = unchanged,
		...options
	}: TSchemaOptions & { default?: string; canonical?: Field["toColumn"] } = {},
): Field {
	const answer = Type.String("examples" in options ? { examples: options.examples } : {});
	return field((more) => Text(minLength, maxLength, { ...options, ...more }), answer, { absent, toColumn: canonical });
}

/** A text that may be null, and is unless it is given. */
export const nullableText = (maxLength: number): Field =>
	field(() => Nullable(Text(0, maxLength)), Nullable(Type.String()), { absent: null });

/** A whole number between bounds. */
export const integer = (options: { minimum: number; maximum: number; description: string; default: number }): Field => {
	const { default: absent, ...bounds } = options;
	return field((more) => Type.Integer({ ...bounds, ...more }), Type.Integer(), { absent });
};

/** One of some texts. */
export const choice = <Values extends string[]>(values: readonly [...Values], absent: Values[number]): Field =>
	field((options) => OneOf(values, options), OneOf(values), { absent });

/** True or false; stored as 1 or 0. */
export const flag = (absent: boolean): Field =>
	field((options) => Type.Boolean(options), Type.Boolean(), {
		absent,
		toColumn: (value) => (value === true ? 1 : 0),
		fromColumn: (column) => column === 1,
	});
