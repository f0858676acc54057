import { reachableSiteIds } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { presentUser, type UserRow } from "../../people/users/index.ts";

/** The records of several users, each with the sites in reach. */
export async function describeUsers(metadata: Metadata, users: readonly UserRow[]) {
	const siteIds = await reachableSiteIds(
		metadata,
		users.map(({ id }) => id),
	);
	return users.map((user) => presentUser(user, siteIds.get(user.id) ?? []));
}

/** A user's record, with the sites in reach. */
export async function describeUser(metadata: Metadata, user: UserRow) {
	const siteIds = await reachableSiteIds(metadata, [user.id]);
	return presentUser(user, siteIds.get(user.id) ?? []);
}
