import { Type } from "typebox";
import { Id, Name, OneOf, paging, Text } from "../../../platform/http/schemas.ts";
import { Password, User } from "../../people/users/index.ts";

export const ListQuery = Type.Object({
	...paging({ pageSize: 50, max: 100 }),
	include_inactive: Type.Boolean({ default: false }),
	q: Text(0, 254, { default: "", description: "Only users whose name or address holds this, in any case" }),
});

export const UserList = Type.Object({ users: Type.Array(User), total: Type.Integer() });

export const UserParams = Type.Object({ user_id: Id() });

export const NewUserBody = Type.Object({
	email: Type.String({ format: "email", maxLength: 254 }),
	name: Name(),
	password: Password({ description: "12 to 128 characters, by the password policy" }),
	role: OneOf(["superadmin", "user"], { default: "user" }),
	account_ids: Type.Array(Type.String({ minLength: 1, maxLength: 64 }), {
		default: [],
		maxItems: 100,
		description: "Sites that the user gets to read",
	}),
});

export const UserChanges = Type.Object({
	name: Type.Optional(Name()),
	role: Type.Optional(OneOf(["superadmin", "user"])),
	is_active: Type.Optional(Type.Boolean()),
});

export const ErasureBody = Type.Object({
	email: Type.String({ maxLength: 254, description: "The exact address, as a safeguard" }),
});

export const Erased = Type.Object({
	deleted: Type.Literal(true),
	user_id: Type.Integer(),
	organizations: Type.Array(Type.String(), {
		description: "Slugs of the organizations that were the user's alone; their sites collect nothing more",
	}),
});

export const Deleted = Type.Object({ deleted: Type.Literal(true), user_id: Type.Integer() });
