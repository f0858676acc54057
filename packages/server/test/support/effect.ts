import { sql } from "kysely";
import type { Metadata } from "../../src/platform/metadata/metadata.ts";
import type { Person } from "./access-table.ts";

/** Everybody who tries: the people, and credentials of other kinds that the organization's owner gave out. */
export type Trier = Person | "stranger" | "key" | "key of another site" | "app";

/** Context of a try. */
export interface Try {
	/** Another one for each try, from 1 on. */
	readonly n: number;
	readonly metadata: Metadata;
	/** A call by the owner of the organization that must succeed; its id. */
	readonly prepare: (method: "POST" | "PUT", path: string, body: object) => Promise<string>;
	/** A user of the organization who has no role on its site. */
	readonly member: () => Promise<number>;
	/** A user who belongs nowhere. */
	readonly loner: () => Promise<number>;
}

type Request = readonly [method: "POST" | "PUT" | "PATCH" | "DELETE", path: string, body?: object];
/** Values by column. */
export type Row = Readonly<Record<string, string | number>>;

/** An effect of a request, and the callers that may cause it. */
export interface Effect {
	readonly what: string;
	readonly may: readonly Trier[];
	/** Made before each try; an id for the others. */
	readonly before?: (given: Try) => Promise<unknown>;
	readonly request: (n: number, id: string) => Request;
	/** The row by which the effect is seen. */
	readonly row: (n: number, id: string) => readonly [table: string, row: Row];
	/** The effect is that the row is gone. */
	readonly isGone?: true;
}

/** Whether a row is there that has these values. */
export async function isThere(metadata: Metadata, [table, row]: readonly [string, Row]): Promise<boolean> {
	const found = Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`);
	const { rows } = await sql`select 1 from ${sql.table(table)} where ${sql.join(found, sql` and `)} limit 1`.execute(
		metadata,
	);
	return rows.length > 0;
}

export const impersonating = "impersonating superadmin";
export const siteOwners: readonly Trier[] = ["site owner", "org owner", "superadmin"];
export const siteAdmins: readonly Trier[] = [...siteOwners, "org admin", impersonating];
export const siteEditors: readonly Trier[] = [...siteAdmins, "site editor"];
export const siteViewers: readonly Trier[] = [...siteEditors, "site viewer"];
export const organizationOwners: readonly Trier[] = ["org owner", "superadmin", impersonating];
export const organizationAdmins: readonly Trier[] = [...organizationOwners, "org admin"];
export const superadmins: readonly Trier[] = ["superadmin"];
/** Callers that are not impersonating: impersonators neither delete nor touch credentials. */
export const inPerson = (triers: readonly Trier[]) => triers.filter((trier) => trier !== impersonating);

/** Puts a row back to what the effect is told from. */
export const reset =
	(table: string, set: Row, where: Row) =>
	async ({ metadata }: Try) => {
		const parts = (row: Row, between: string) =>
			sql.join(
				Object.entries(row).map(([name, value]) => sql`${sql.ref(name)} = ${value}`),
				sql.raw(between),
			);
		await sql`update ${sql.table(table)} set ${parts(set, ", ")} where ${parts(where, " and ")}`.execute(metadata);
	};
