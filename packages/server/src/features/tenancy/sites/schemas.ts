import { Type } from "typebox";
import { type Guard, orgRoles, type SiteRole, siteRoles } from "../../../access/index.ts";
import { Nullable, OneOf, Timestamp } from "../../../platform/http/schemas.ts";
import { planFeatures } from "../organizations/index.ts";
import { currency, settingAnswers, settingChanges, siteName, timezone } from "./settings.ts";

// Any text that is no host name gets the same error.
export const domain = () => Type.String({ minLength: 3, maxLength: 255, "x-characters": "any" });

const SiteParams = Type.Object({ id: Type.String({ description: "Site slug" }) });

type SiteGuard = Extract<Guard, { readonly kind: "site" }>;

const onSite = { tags: ["Sites"], params: SiteParams };
const named = { kind: "site", siteFrom: "path" } as const;
const reading: SiteGuard = { ...named, keyScope: "sites:read", oauth: "admitted", role: "viewer", write: false };

/** A route that reads one site: any role, or a key with `sites:read`. */
export const readingSite = { ...onSite, guard: reading };

/** The same for sessions whose user has at least `role` there. */
export const readingSiteAs = (role: SiteRole) => {
	const guard: SiteGuard = { ...named, keyScope: null, role, write: false };
	return { ...onSite, guard };
};

/** A route that writes to one site: a session whose user has at least `role` there. */
export const writingSite = (role: SiteRole) => {
	const { guard, ...route } = readingSiteAs(role);
	return { ...route, guard: { ...guard, write: true } };
};

export const ListQuery = Type.Object({ include_inactive: Type.Boolean({ default: false }) });

export const CreateSiteBody = Type.Object({
	name: siteName(),
	domains: Type.Array(domain(), { maxItems: 50, default: [] }),
	timezone: Type.String({ ...timezone, default: "UTC" }),
	currency: Type.String({ ...currency, default: "EUR" }),
	org_id: Type.Optional(Nullable(Type.String({ format: "uuid" }))),
});

export const ChangeSiteBody = Type.Object({
	...settingChanges,
	confirm: Type.Optional(
		Type.String({ description: "The site's id, required when `data_retention_months` gets shorter", maxLength: 64 }),
	),
});

const { name, ...otherSettings } = settingAnswers;
const site = {
	id: Type.String(),
	name,
	domains: Type.Array(Type.String()),
	...otherSettings,
	data_retention_pending: Nullable(Type.Object({ months: Type.Integer(), applies_at: Timestamp() }), {
		description: "A shorter retention that was set and is not in effect yet",
	}),
	purge_at: Nullable(Timestamp(), {
		description: "When a deleted site is purged with all its data; null = not deleted",
	}),
	lens_tier: Type.Literal("guard"),
	created_at: Timestamp(),
	updated_at: Nullable(Timestamp()),
	created_by: Nullable(Type.Integer()),
	user_count: Type.Integer(),
};
export const Site = Type.Object(site);
export const siteRole = () => OneOf([...siteRoles]);
export const SiteList = Type.Object({
	sites: Type.Array(
		Type.Object({
			...site,
			role: siteRole(),
			is_new: Type.Boolean({
				description:
					"Created in the last 30 days, and without data from before yesterday in the site's time zone, imports included",
			}),
		}),
	),
	total: Type.Integer(),
	ip_filtered_accounts: Type.Array(Type.String(), {
		description: "Sites that the caller can access but not from this address; they are left out of the list",
	}),
});
export const SiteDetail = Type.Object({
	...site,
	role: siteRole(),
	is_own: Type.Boolean(),
	organization_role: Nullable(
		OneOf([...orgRoles], { description: "The caller's role in the organization of the site" }),
	),
	org_name: Nullable(Type.String()),
	org_slug: Nullable(Type.String()),
	owner_email: Nullable(Type.String()),
	plan_features: Type.Array(OneOf([...planFeatures]), {
		description: "Features of the organization's plan that not every plan has; writes to other features are refused",
	}),
});
export const SiteDeleted = Type.Object({ deleted: Type.Literal(true), site_id: Type.String() });

export const Timezone = Type.Object({
	timezone: Type.String(),
	country_code: Type.String(),
	country_name: Type.String(),
});
