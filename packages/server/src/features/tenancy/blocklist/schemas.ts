import { Type } from "typebox";
import { Timestamp } from "../../../platform/http/schemas.ts";

/** PostgreSQL cannot store the NUL character. */
const text = (minLength: number, maxLength: number, options: { default?: string; description?: string } = {}) =>
	Type.String({ minLength, maxLength, pattern: "^[^\\u0000]*$", ...options });
const account = { account_id: Type.String({ description: "Site slug" }) };

export const AccountQuery = Type.Object(account);
export const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const EntryParams = Type.Object({ entry_id: Type.Integer({ minimum: 1, maximum: 2_147_483_647 }) });

const address = () => text(1, 50, { description: "An address, or a range such as 203.0.113.0/24 or 2001:db8::/32" });

export const CreateEntryBody = Type.Object({
	ip_or_cidr: address(),
	reason: text(0, 255, { default: "" }),
	is_active: Type.Boolean({ default: true }),
});

export const ChangeEntryBody = Type.Object({
	ip_or_cidr: Type.Optional(address()),
	reason: Type.Optional(text(0, 255)),
	is_active: Type.Optional(Type.Boolean()),
});

export const Entry = Type.Object({
	id: Type.Integer(),
	account_id: Type.String(),
	ip_or_cidr: Type.String(),
	reason: Type.String(),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
});
export const EntryList = Type.Object({
	entries: Type.Array(Entry),
	total: Type.Integer({ description: "Of the entries listed" }),
	active_count: Type.Integer(),
});
