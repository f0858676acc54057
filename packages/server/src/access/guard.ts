import type { KeyScope, SiteRole } from "./principal.ts";

/**
 * What a route demands of its caller; every route declares one in `config.guard`, or the app does not start.
 * `public`: nothing. `session`: a signed-in user. `principal`: a session, or a key with `scope`.
 * `site`: the same, and the site named in `siteFrom` must be within reach, with at least `role` for sessions.
 */
export type Guard =
	| { readonly kind: "public" }
	| { readonly kind: "session"; readonly scope: "read" | "write"; readonly superadmin?: true }
	| { readonly kind: "principal"; readonly scope: KeyScope }
	| {
			readonly kind: "site";
			/** `query`: `site_id` with its alias `account_id`; `account`: `account_id`; `path`: the path parameter `id`. */
			readonly siteFrom: "query" | "account" | "path";
			/** Scope that opens the route to API keys, or several any of which does; null = sessions only. */
			readonly keyScope: KeyScope | readonly [KeyScope, ...KeyScope[]] | null;
			/** Least role of a session's user on the site. */
			readonly role: SiteRole;
			readonly write: boolean;
			/** Answers `missing_credentials` and `insufficient_scope` where other routes say `unauthorized` and `forbidden`. */
			readonly namesRefusals?: true;
	  };
