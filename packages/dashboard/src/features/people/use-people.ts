import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** Somebody who reaches a site. */
export type Person = Answer<"GET /sites/{id}/users">["users"][number];
export type Role = Person["role"];

/** Roles, the least first. */
export const roles: readonly Role[] = ["viewer", "editor", "admin", "owner"];

/** Roles that somebody may give: only owners make owners. */
export const rolesBy = (role: string): readonly Role[] => (role === "owner" ? roles : roles.slice(0, -1));

/** Everybody who reaches a site. */
export const peopleQuery = (id: string) => read("GET /sites/{id}/users", { path: { id } });

/** The site with the organization that it belongs to. */
export const siteQuery = (id: string) => read("GET /sites/{id}", { path: { id } });

/** Everybody in an organization, who may be given a role on its sites. */
export const membersQuery = (slug: string | null) =>
	queryOptions({
		queryKey: ["GET /organizations/{slug}/members", slug],
		queryFn: ({ signal }) => call("GET /organizations/{slug}/members", { path: { slug: slug ?? "" }, signal }),
		enabled: slug !== null,
		// Only members see an organization, so a refusal is final.
		retry: false,
	});

/** Invitations to an organization, for its owners and admins. */
export const invitationsQuery = (slug: string) => read("GET /organizations/{slug}/invitations", { path: { slug } });

/** Changes of the invitations to a site. */
export function useInvitations(site: string, slug: string) {
	const stale = ["GET /organizations/{slug}/invitations"];
	return {
		invite: useChange({
			run: ({ email, role }: { readonly email: string; readonly role: Role }) =>
				call("POST /organizations/{slug}/invitations", {
					path: { slug },
					body: { email, site_ids: [site], site_role: role },
				}),
			stale,
		}),
		revoke: useChange({
			run: (id: number) => call("DELETE /organizations/{slug}/invitations/{id}", { path: { slug, id } }),
			stale,
			done: () => t.revoked,
		}),
	};
}

/** Changes of who reaches a site. */
export function usePeople(id: string) {
	const stale = ["GET /sites/{id}/users", "GET /sites/{id}"];
	const give = ({ user_id, role }: Pick<Person, "user_id" | "role">) =>
		call("POST /sites/{id}/users", { path: { id }, body: { user_id, role } });
	const change = ({ user_id }: Person, role: Role) =>
		call("PATCH /sites/{id}/users/{user_id}", { path: { id, user_id }, body: { role } });
	const take = ({ user_id }: Pick<Person, "user_id">) =>
		call("DELETE /sites/{id}/users/{user_id}", { path: { id, user_id } });
	return {
		add: useChange({ run: give, stale, done: ({ name, role }) => t.added(name, t.roles[role]), undo: take }),
		change: useChange({
			run: ({ person, role }: { readonly person: Person; readonly role: Role }) => change(person, role),
			stale,
			done: ({ name, role }) => t.changed(name, t.roles[role]),
			undo: (_, { person }) => change(person, person.role),
		}),
		take: useChange({
			run: (person: Person) => take(person),
			stale,
			done: (_, { name }) => t.taken(name),
			undo: (_, person) => give(person),
		}),
		/** One's own role cannot be given back by oneself. */
		leave: useChange({ run: (person: Person) => take(person), stale: [], done: () => t.left }),
	};
}
