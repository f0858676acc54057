import { reachableSites } from "../../../access/index.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { presentUser, type UserRow } from "../../people/users/index.ts";

/** A user's record, with the sites in reach. */
export async function describeUser(metadata: Metadata, user: UserRow) {
	const sites = await reachableSites(metadata, user.id);
	return presentUser(
		user,
		sites.map(({ id }) => id),
	);
}

/** The records of several users. */
export const describeUsers = (metadata: Metadata, users: readonly UserRow[]) =>
	Promise.all(users.map((user) => describeUser(metadata, user)));
