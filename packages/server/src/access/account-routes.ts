import { Type } from "typebox";
import type { Guard } from "./guard.ts";
import type { SiteRole } from "./principal.ts";

/** The parameter by which a route with one of these guards is told its site. */
export const account = { account_id: Type.String({ description: "Site slug" }) };

/** Query string of a route that is told its site and nothing else. */
export const AccountQuery = Type.Object(account);

type SiteGuard = Extract<Guard, { readonly kind: "site" }>;

const named = { kind: "site", siteFrom: "account", keyScope: null } as const;

/** Reads of the site that `account_id` names: a session whose user has at least `role` there. */
export const readingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: false });

/** Writes to the site that `account_id` names: a session whose user has at least `role` there. */
export const writingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: true });

/** The same for admins of the site's organization. */
export const writingAccountOfOrganization: Guard = { ...named, role: "admin", organizationRole: "admin", write: true };
