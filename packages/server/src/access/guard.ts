import { Type } from "typebox";
import type { KeyScope, OrgRole, SiteRole } from "./principal.ts";
import type { ShareList } from "./shared-view.ts";

interface Impersonable {
	/**
	 * Whether a superadmin who acts as another user gets in; without it, all but deletions are admitted.
	 * `refused` belongs on whatever touches password, second factor, tokens, sessions or billing, reads too.
	 */
	readonly impersonation?: "admitted" | "refused";
}

interface OpenToApps {
	/**
	 * Whether OAuth tokens get in, for the approved site; without it they do not. `delegated`: only by a request that the
	 * service itself injects on the app's behalf.
	 */
	readonly oauth?: "admitted" | "delegated";
}

interface OpenToSharedLinks<What> {
	/** Content that a shared link must show to admit its readers; without it they are refused. */
	readonly share?: What;
}

interface OpenWhileSigningUp {
	/**
	 * Whether a session gets in that was opened by signing up for an app and whose address is not confirmed yet; without it,
	 * it does not. The handler compares `boundRequest` with the request that it decides on.
	 */
	readonly boundSession?: "admitted";
}

/**
 * Requirements of a route on its caller; every route declares one in `config.guard`, or the app does not start.
 * `public`: none. `session`: a signed-in user. `principal`: a session, or a key with `scope`. `site`: the same, and the
 * site named in `siteFrom` must be accessible, with at least `role` for sessions. `organization`: the same for the
 * organization whose slug is the path parameter `slug`.
 */
export type Guard =
	| (OpenWhileSigningUp & {
			readonly kind: "public";
			/**
			 * `optional`: a session that shows itself is known to the handler as `principal`; a credential that is not valid counts as none.
			 * `form`: the same on pages, whose forms can send no header: the handler checks a token of the form itself.
			 */
			readonly caller?: "optional" | "form";
	  })
	| (Impersonable &
			OpenWhileSigningUp & {
				readonly kind: "session";
				readonly scope: "read" | "write";
				readonly superadmin?: true;
				/** Least role that the user has in some organization; the handler looks which. Superadmins need none. */
				readonly organizationRole?: OrgRole;
				/**
				 * Admits owners of an organization and superadmins, who have the scope `billing:manage`. The handler
				 * checks the organization.
				 */
				readonly billing?: true;
			})
	| (Impersonable &
			OpenToApps &
			// Such a route asks others in its caller's name, which are guarded each.
			OpenToSharedLinks<"admitted"> & { readonly kind: "principal"; readonly scope: KeyScope })
	| (Impersonable &
			OpenToApps &
			OpenToSharedLinks<"overview" | ShareList> & {
				readonly kind: "site";
				/** `query`: `site_id` with its alias `account_id`; `account`: `account_id`; `path`: the path parameter `id`. */
				readonly siteFrom: "query" | "account" | "path";
				/** Refuses a `site_id` beside or in place of `account_id`, which might name another site. */
				readonly refusesSiteId?: true;
				/** Scope that opens the route to API keys, or several any of which does; null = sessions only. */
				readonly keyScope: KeyScope | readonly [KeyScope, ...KeyScope[]] | null;
				/** Least role of a session's user on the site. */
				readonly role: SiteRole;
				/** Least role of a session's user in the site's organization, where a role on the site alone does not do. */
				readonly organizationRole?: OrgRole;
				readonly write: boolean;
				/** Answers `missing_credentials` and `insufficient_scope` where other routes say `unauthorized` and `forbidden`. */
				readonly namesRefusals?: true;
			})
	| (Impersonable & {
			readonly kind: "organization";
			/** Scope that opens the route to API keys; null = sessions only. */
			readonly keyScope: KeyScope | null;
			/** Least role of the user, or of the key's owner, in the organization. */
			readonly role: OrgRole;
			readonly write: boolean;
	  });

/** True when a route with this method and guard is closed to a superadmin who acts as another user. */
export const refusesImpersonation = (method: string, guard: Guard): boolean =>
	guard.kind !== "public" && (guard.impersonation ?? (method === "DELETE" ? "refused" : "admitted")) === "refused";

/** Parameter with the site of a route that has one of these guards. */
export const account = { account_id: Type.String({ description: "Site slug" }) };

export const AccountQuery = Type.Object(account);

type SiteGuard = Extract<Guard, { readonly kind: "site" }>;

const named = { kind: "site", siteFrom: "account", keyScope: null } as const;

/** Reads of the site that `account_id` names: a session whose user has at least `role` there. */
export const readingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: false });

/** Writes to the site that `account_id` names: a session whose user has at least `role` there. */
export const writingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: true });

/** The same for admins of the site's organization. */
export const writingAccountOfOrganization: Guard = { ...named, role: "admin", organizationRole: "admin", write: true };
