import type { Generated, Selectable } from "kysely";
import { ApiError } from "../../../platform/http/api-error.ts";
import { isUniqueViolation, type Metadata } from "../../../platform/metadata/metadata.ts";

export type UserRole = "superadmin" | "user";

/** The table of this slice; times in milliseconds. */
export type UserTables = {
	users: {
		id: Generated<number>;
		/** Lower-case. */
		email: string;
		name: string;
		role: UserRole;
		/** Argon2id in PHC form, which records its parameters; null = cannot sign in with a password. */
		password_hash: string | null;
		is_active: number;
		email_verified_at: number | null;
		two_factor_enabled_at: number | null;
		last_login_at: number | null;
		created_at: number;
		updated_at: number;
	};
};

/** A user as stored. */
export type UserRow = Selectable<UserTables["users"]>;

const users = (metadata: Metadata) => metadata.withTables<UserTables>();

/** The form in which an address is stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase();

/** The user with this id. */
export const findUser = (metadata: Metadata, userId: number): Promise<UserRow | undefined> =>
	users(metadata).selectFrom("users").selectAll().where("id", "=", userId).executeTakeFirst();

/** The user with this address, in any case. */
export const findUserByEmail = (metadata: Metadata, email: string): Promise<UserRow | undefined> =>
	users(metadata).selectFrom("users").selectAll().where("email", "=", normalizeEmail(email)).executeTakeFirst();

/** Every user, inactive ones included, oldest first. */
export const listUsers = (metadata: Metadata): Promise<UserRow[]> =>
	users(metadata).selectFrom("users").selectAll().orderBy("id").execute();

/** True once any user exists, inactive ones included. */
export async function hasUsers(metadata: Metadata): Promise<boolean> {
	return (await users(metadata).selectFrom("users").select("id").limit(1).executeTakeFirst()) !== undefined;
}

/** Stores a user; throws `duplicate_entry` when the address is taken. */
export async function insertUser(metadata: Metadata, row: Omit<UserRow, "id">): Promise<UserRow> {
	try {
		return await users(metadata).insertInto("users").values(row).returningAll().executeTakeFirstOrThrow();
	} catch (error) {
		if (isUniqueViolation(error)) throw new ApiError("duplicate_entry", { message: "The e-mail address is taken" });
		throw error;
	}
}

/** Changes fields of a user. */
export async function updateUser(
	metadata: Metadata,
	userId: number,
	changes: Partial<Omit<UserRow, "id">>,
): Promise<void> {
	await users(metadata).updateTable("users").set(changes).where("id", "=", userId).execute();
}
