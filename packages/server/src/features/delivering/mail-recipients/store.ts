import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { engineOf, type Metadata } from "../../../platform/metadata/metadata.ts";

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

/** Lets others who ask people wait until this transaction ends, so that what was counted of an address still holds. */
export async function askInTurn(metadata: Metadata): Promise<void> {
	// SQLite has one transaction at a time.
	if (engineOf(metadata) === "sqlite") return;
	await sql`select pg_advisory_xact_lock(${sql.lit(ADVISORY_LOCK)})`.execute(metadata);
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
