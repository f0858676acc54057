import { Type } from "typebox";
import { OneOf, paging } from "../../../platform/http/schemas.ts";
import { User } from "../../people/users/index.ts";

const name = Type.String({ minLength: 1, maxLength: 255, pattern: "^[^\\u0000-\\u001f\\u007f]*$" });

export const ListQuery = Type.Object({
	...paging({ pageSize: 50, max: 100 }),
	include_inactive: Type.Boolean({ default: false }),
});

export const UserList = Type.Object({ users: Type.Array(User), total: Type.Integer() });

export const UserParams = Type.Object({ user_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

export const NewUserBody = Type.Object({
	email: Type.String({ format: "email", maxLength: 254 }),
	name,
	password: Type.String({ minLength: 1, maxLength: 1024, description: "12 to 128 characters, by the password policy" }),
	role: OneOf(["superadmin", "user"], { default: "user" }),
	account_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
		default: [],
		maxItems: 100,
		description: "Sites that the user gets to read",
	}),
});

export const UserChanges = Type.Object({
	name: Type.Optional(name),
	role: Type.Optional(OneOf(["superadmin", "user"])),
	is_active: Type.Optional(Type.Boolean()),
});

export const Deleted = Type.Object({ deleted: Type.Literal(true), user_id: Type.Integer() });
