import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { engineOf } from "../../../platform/metadata/engine-of.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";

export const mailRecipients = tableOf("mail_recipients");

/** Columns of an account that decide its relation to a site. */
export type AccountRow = Pick<Row<"users">, "id" | "email" | "role" | "is_active" | "email_verified_at">;

export type AnswerRow = Row<"mail_recipients">;

/** Any number that no other lock has. */
const ADVISORY_LOCK = 4_180_267_715;

export const listAccounts = (metadata: Metadata, emails: readonly string[]): Promise<AccountRow[]> =>
	tables(metadata)
		.selectFrom("users")
		.select(["id", "email", "role", "is_active", "email_verified_at"])
		.where("email", "in", emails)
		.execute();

export async function askedOfSite(metadata: Metadata, siteId: string, since: number): Promise<number[]> {
	const rows = await tables(metadata)
		.selectFrom("mail_recipients")
		.select("asked_at")
		.where("site_id", "=", siteId)
		.where("asked_at", ">", since)
		.orderBy("asked_at")
		.execute();
	return rows.map(({ asked_at }) => asked_at);
}

export async function countAskedOf(metadata: Metadata, email: string, since: number): Promise<number> {
	const { count } = await tables(metadata)
		.selectFrom("mail_recipients")
		.select((query) => query.fn.countAll<number>().as("count"))
		.where("email", "=", email)
		.where("asked_at", ">", since)
		.executeTakeFirstOrThrow();
	return Number(count);
}

/** Lets others who ask people wait until this transaction ends, so that what was counted of an address still holds. */
export async function askInTurn(metadata: Metadata): Promise<void> {
	// SQLite has one transaction at a time.
	if (engineOf(metadata) === "sqlite") return;
	await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(metadata);
}

export async function noteAsked(metadata: Metadata, siteId: string, email: string, nowMs: number): Promise<void> {
	await tables(metadata)
		.insertInto("mail_recipients")
		.values({ site_id: siteId, email, asked_at: nowMs, agreed_at: null, refused_at: null })
		.onConflict((conflict) => conflict.columns(["site_id", "email"]).doUpdateSet({ asked_at: nowMs }))
		.execute();
}

export async function dropUnanswered(metadata: Metadata, before: number): Promise<void> {
	await tables(metadata)
		.deleteFrom("mail_recipients")
		.where("asked_at", "<=", before)
		.where("agreed_at", "is", null)
		.where("refused_at", "is", null)
		.execute();
}

export async function ownerAddresses(metadata: Metadata, organizationId: string): Promise<string[]> {
	const rows = await tables(metadata)
		.selectFrom("organization_members")
		.innerJoin("users", "users.id", "organization_members.user_id")
		.select("users.email")
		.where("organization_members.organization_id", "=", organizationId)
		.where("organization_members.role", "=", "owner")
		.orderBy("users.id")
		.execute();
	return rows.map(({ email }) => email);
}
