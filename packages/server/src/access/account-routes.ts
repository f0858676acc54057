import { Type } from "typebox";
import type { Guard } from "./guard.ts";
import type { SiteRole } from "./principal.ts";

/** Parameter with the site of a route that has one of these guards. */
export const account = { account_id: Type.String({ description: "Site slug" }) };

/** Query string with the site and nothing else. */
export const AccountQuery = Type.Object(account);

type SiteGuard = Extract<Guard, { readonly kind: "site" }>;

const named = { kind: "site", siteFrom: "account", keyScope: null } as const;

/** Reads of the site that `account_id` names: a session whose user has at least `role` there. */
export const readingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: false });

/** Writes to the site that `account_id` names: a session whose user has at least `role` there. */
export const writingAccount = (role: SiteRole): SiteGuard => ({ ...named, role, write: true });

/** The same for admins of the site's organization. */
export const writingAccountOfOrganization: Guard = { ...named, role: "admin", organizationRole: "admin", write: true };
