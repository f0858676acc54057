import { Type } from "typebox";
import { account } from "../../../access/index.ts";
import { Id, Text, Timestamp } from "../../../platform/http/schemas.ts";

export const ListQuery = Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) });
export const EntryParams = Type.Object({ entry_id: Id() });

const address = () => Text(1, 50, { description: "An address, or a range such as 203.0.113.0/24 or 2001:db8::/32" });

export const CreateEntryBody = Type.Object({
	ip_or_cidr: address(),
	reason: Text(0, 255, { default: "" }),
	is_active: Type.Boolean({ default: true }),
});

export const ChangeEntryBody = Type.Object({
	ip_or_cidr: Type.Optional(address()),
	reason: Type.Optional(Text(0, 255)),
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
