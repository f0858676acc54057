import { fieldError } from "../../../platform/errors/service-error.ts";
import { formats } from "../../../platform/http/formats.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { checkPasswordPolicy, hashPassword } from "./password-policy.ts";
import { insertUser, normalizeEmail, type UserRole, type UserRow } from "./store.ts";

interface NewUser {
	readonly email: string;
	readonly name: string;
	readonly password: string;
	readonly role: UserRole;
}

const CONTROL = /\p{Cc}/u;

/**
 * The row of a new user whose address counts as verified, because the operator vouches for it.
 * Throws `validation_error` (`body.email`, `body.name`, `body.password`).
 */
export async function newUserRow(input: NewUser, nowMs: number): Promise<Omit<UserRow, "id">> {
	const email = normalizeEmail(input.email);
	const name = input.name.trim();
	if (!formats.email(email) || CONTROL.test(email))
		throw fieldError("body.email", "must be an email address", "format");
	if (name === "" || name.length > 255 || CONTROL.test(name)) {
		throw fieldError("body.name", "must have 1 to 255 printable characters", "length");
	}
	checkPasswordPolicy(input.password, email);
	return {
		email,
		name,
		role: input.role,
		password_hash: await hashPassword(input.password),
		is_active: 1,
		email_verified_at: nowMs,
		two_factor_enabled_at: null,
		last_login_at: null,
		created_at: nowMs,
		updated_at: nowMs,
	};
}

/** Makes and stores a user; throws as `newUserRow` does, and `duplicate_entry`. */
export async function createUser(deps: ChangeDeps, input: NewUser): Promise<UserRow> {
	return insertUser(deps.metadata, await newUserRow(input, deps.clock.now()));
}
