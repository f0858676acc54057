import { type TSchemaOptions, Type } from "typebox";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";

export const UpdateUserBody = Type.Object({ name: Type.String({ minLength: 1, maxLength: 255 }) });

/** A password as somebody types it; whether it may be a new one is for the policy to say. */
export const Password = (options: TSchemaOptions = {}) => Type.String({ minLength: 1, maxLength: 1024, ...options });

/** A user on the wire. */
export const User = Type.Object({
	id: Type.Integer(),
	email: Type.String(),
	name: Type.String(),
	role: OneOf(["superadmin", "user"]),
	account_ids: Type.Array(Type.String(), { description: "Slugs of the sites that the caller can access" }),
	is_active: Type.Boolean(),
	email_verified_at: Nullable(Timestamp()),
	last_login_at: Nullable(Timestamp()),
	created_at: Timestamp(),
	two_factor_enabled: Type.Boolean(),
	two_factor_enabled_at: Nullable(Timestamp()),
});
