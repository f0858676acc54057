import type { Static } from "typebox";
import type { ChangeEntryBody, CreateEntryBody } from "./schemas.ts";
import type { EntryFields } from "./store.ts";

/** The columns of a new entry. */
export const parseEntry = ({ ip_or_cidr, reason, is_active }: Static<typeof CreateEntryBody>): EntryFields => ({
	ip_or_cidr,
	reason,
	is_active: is_active ? 1 : 0,
});

/** The columns to change. Bodies may hold fields that nobody knows, so the known ones are picked by name. */
export const parseChanges = (body: Static<typeof ChangeEntryBody>): Partial<EntryFields> => ({
	...(body.ip_or_cidr !== undefined && { ip_or_cidr: body.ip_or_cidr }),
	...(body.reason !== undefined && { reason: body.reason }),
	...(body.is_active !== undefined && { is_active: body.is_active ? 1 : 0 }),
});
