import { sql } from "kysely";
import { type Row, tables } from "../../../../migrations/metadata/tables/index.ts";
import { tableOf } from "../../../../migrations/metadata/tables/table-of.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { isUniqueViolation, type Metadata } from "../../../platform/metadata/metadata.ts";
import { numberedPage, pageOf } from "../../../platform/metadata/page-of.ts";

export type UserRow = Row<"users">;
export type UserRole = UserRow["role"];

/** The form in which an address is stored and compared. */
export const normalizeEmail = (email: string): string => email.trim().toLowerCase().normalize("NFC");

const users = tableOf("users");

export const findUser = (metadata: Metadata, id: number): Promise<UserRow | undefined> => users.find(metadata, { id });

/** The user with this id; throws `user_not_found`. */
export const getUser = async (metadata: Metadata, userId: number): Promise<UserRow> =>
	orThrow(await findUser(metadata, userId), "user_not_found");

/** The user with this address, in any case. */
export const findUserByEmail = (metadata: Metadata, email: string): Promise<UserRow | undefined> =>
	users.find(metadata, { email: normalizeEmail(email) });

/** Every user, inactive ones included, oldest first. */
export const listUsers = (metadata: Metadata): Promise<UserRow[]> => users.list(metadata, {}, "id");

/** Placeholder addresses of deleted users, which cannot be registered. */
const ERASED = "%@deleted.invalid";

/** One page of the users whose name or address holds a text, oldest first, with the number of them all; deleted ones are no users any more. */
export async function listUsersPage(
	metadata: Metadata,
	filter: { includeInactive: boolean; search: string; page: number; pageSize: number },
): Promise<{ readonly rows: UserRow[]; readonly total: number }> {
	const all = tables(metadata).selectFrom("users").where("email", "not like", ERASED);
	const pattern = `%${filter.search.trim().replace(/[\\%_]/g, "\\$&")}%`;
	const chosen = all
		.$if(!filter.includeInactive, (query) => query.where("is_active", "=", 1))
		.$if(filter.search.trim() !== "", (query) =>
			query.where(
				sql<boolean>`(lower(name) like lower(${pattern}) escape '\\' or email like lower(${pattern}) escape '\\')`,
			),
		);
	return pageOf(chosen, (query) => query.selectAll().orderBy("id"), numberedPage(filter.page, filter.pageSize));
}

export const lockSuperadmins = (metadata: Metadata): Promise<void> => users.lock(metadata, { role: "superadmin" });

const activeSuperadmins = { role: "superadmin", is_active: 1 } as const;

/** True when an active superadmin remains besides this user. */
export const hasOtherSuperadmin = async (metadata: Metadata, userId: number): Promise<boolean> =>
	(await users.count(metadata, { ...activeSuperadmins, id: { "!=": userId } })) > 0;

/** The addresses of active superadmins. */
export const superadminAddresses = async (metadata: Metadata): Promise<string[]> =>
	(await users.list(metadata, activeSuperadmins, "id")).map(({ email }) => email);

/** True once a superadmin exists, inactive ones included. */
export const hasSuperadmin = async (metadata: Metadata): Promise<boolean> =>
	(await users.count(metadata, { role: "superadmin" })) > 0;

/** Stores a user; throws `duplicate_entry` when the address is taken. */
export const insertUser = (metadata: Metadata, row: Omit<UserRow, "id">): Promise<UserRow> =>
	users.insert(metadata, row).catch(refuseTakenAddress);

/** Gives a user another address, which counts as confirmed; throws `duplicate_entry` when it is taken. */
export const replaceEmail = (metadata: Metadata, userId: number, email: string, nowMs: number): Promise<void> =>
	updateUser(metadata, userId, { email, email_verified_at: nowMs, updated_at: nowMs }).catch(refuseTakenAddress);

function refuseTakenAddress(error: unknown): never {
	if (isUniqueViolation(error)) throw new ServiceError("duplicate_entry", "The email address is taken");
	throw error;
}

export async function updateUser(metadata: Metadata, userId: number, changes: Partial<Omit<UserRow, "id">>) {
	await users.update(metadata, { id: userId }, changes);
}

/** Makes other changes to a user that begin with such a lock wait until this transaction ends. */
export const lockUser = (metadata: Metadata, id: number): Promise<void> => users.lock(metadata, { id });

/** Puts a password in the place of the one that `user` was read with; false when another one stands there by now. */
export async function replacePasswordHash(
	metadata: Metadata,
	{ id, password_hash: hash }: UserRow,
	newHash: string,
	nowMs: number,
): Promise<boolean> {
	const changes = { password_hash: newHash, updated_at: nowMs };
	return (await users.update(metadata, { id, password_hash: hash }, changes)) !== undefined;
}

/** Notes a sign-in; false when the user was deactivated, or got another password or second factor, since `user` was read. */
export async function noteSignIn(metadata: Metadata, user: UserRow, nowMs: number): Promise<boolean> {
	const { id, password_hash, two_factor_enabled_at } = user;
	const asRead = { id, is_active: 1, password_hash, two_factor_enabled_at };
	return (await users.update(metadata, asRead, { last_login_at: nowMs })) !== undefined;
}

/** Gives a user the first password and counts the address as verified; undefined when there is one already, or the user is shut out. */
export const setFirstPassword = (
	metadata: Metadata,
	userId: number,
	changes: { passwordHash: string; name: string },
	nowMs: number,
): Promise<UserRow | undefined> =>
	users.update(
		metadata,
		{ id: userId, is_active: 1, password_hash: null },
		{ password_hash: changes.passwordHash, name: changes.name, email_verified_at: nowMs, updated_at: nowMs },
	);

/** Lets changes to a user wait until this transaction ends who was set up by others and never came; false when they came. */
export async function lockUnclaimed(metadata: Metadata, userId: number): Promise<boolean> {
	const locked = await tables(metadata)
		.updateTable("users")
		.set((query) => ({ updated_at: query.ref("updated_at") }))
		.where("id", "=", userId)
		.where("password_hash", "is", null)
		.where("email_verified_at", "is", null)
		.returning("id")
		.execute();
	return locked.length === 1;
}
