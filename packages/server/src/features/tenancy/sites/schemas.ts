import { Type } from "typebox";
import { orgRoles, siteRoles } from "../../../access/index.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { planFeatures } from "../organizations/index.ts";
import { currency, settingAnswers, settingChanges, siteName, timezone } from "./settings.ts";

const utmFields = ["utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content"] as const;

// Any text that is no host name gets the same error.
const domain = () => Type.String({ minLength: 3, maxLength: 255, "x-characters": "any" });

export const SiteParams = Type.Object({ id: Type.String({ description: "Site slug" }) });

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
const siteRole = () => OneOf([...siteRoles]);
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

export const Timezones = Type.Object({
	timezones: Type.Array(
		Type.Object({ timezone: Type.String(), country_code: Type.String(), country_name: Type.String() }),
	),
	total: Type.Integer(),
});

const storedDomain = {
	id: Type.Integer(),
	domain: Type.String(),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
};
export const Domain = Type.Object(storedDomain);
export const DomainList = Type.Object({ domains: Type.Array(Domain), total: Type.Integer() });
export const DomainInput = Type.Object({ domain: domain() });
export const DomainParams = Type.Object({ id: Type.String(), domain: domain() });
export const DomainRemoved = Type.Object({ removed: Type.Literal(true), domain: Type.String() });

export const Mapping = Type.Object({
	id: Type.Integer(),
	custom_param: Type.String(),
	maps_to: OneOf(utmFields),
	is_active: Type.Boolean(),
	created_at: Timestamp(),
});
export const MappingList = Type.Object({ mappings: Type.Array(Mapping), total: Type.Integer() });
export const CreateMappingBody = Type.Object({ custom_param: Text(1, 100), maps_to: OneOf(utmFields) });
export const ChangeMappingBody = Type.Object({
	maps_to: Type.Optional(OneOf(utmFields)),
	is_active: Type.Optional(Type.Boolean()),
});
export const MappingIdQuery = Type.Object({ mapping_id: Id() });
export const MappingIdParams = Type.Object({ id: Type.String(), mapping_id: Id() });
export const CustomParamQuery = Type.Object({ custom_param: Text(1, 100) });
export const CustomParamParams = Type.Object({ id: Type.String(), custom_param: Text(1, 100) });
export const MappingRemoved = Type.Object({ removed: Type.Literal(true), custom_param: Type.String() });

export const SiteUser = Type.Object({
	user_id: Type.Integer(),
	email: Type.String(),
	name: Type.String(),
	role: siteRole(),
	via: OneOf(["organization", "site"], {
		description:
			"`organization`: the role comes from being an owner or admin of the organization, and is changed there",
	}),
	created_at: Timestamp(),
});
export const SiteUserList = Type.Object({ users: Type.Array(SiteUser), total: Type.Integer() });
export const AddSiteUserBody = Type.Object({
	user_id: Id(),
	role: OneOf([...siteRoles], { default: "viewer" }),
});
export const ChangeSiteUserBody = Type.Object({ role: siteRole() });
export const SiteUserParams = Type.Object({ id: Type.String(), user_id: Id() });
export const SiteUserRemoved = Type.Object({ removed: Type.Literal(true), user_id: Type.Integer() });

export const Pixel = Type.Object({
	account_id: Type.String(),
	site_id: Type.String(),
	script_tag: Type.String(),
	tracker_url: Type.String(),
	instructions: Type.String(),
});
export const PixelStatus = Type.Object({
	account_id: Type.String(),
	site_id: Type.String(),
	installed: Type.Boolean({ description: "A hit was accepted in the last 14 days" }),
	first_hit_at: Nullable(Timestamp()),
	last_hit_at: Nullable(Timestamp()),
	total_hits: Type.Integer({ description: "In the last 14 days" }),
	script_requests: Type.Integer({
		description:
			"Requests for `/t.js` of the site since the service started; browsers cache it for an hour. With several processes: in the last fourteen days, at most five seconds late",
	}),
	last_script_request_at: Nullable(Timestamp()),
});
export const PageCheckBody = Type.Object({
	url: Type.String({ minLength: 1, maxLength: 2048, description: "URL of the page: https, on a public address" }),
});
export const RejectionsQuery = Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 1440, default: 60 }) });
export const Rejections = Type.Object({
	account_id: Type.String(),
	window_minutes: Type.Integer(),
	available: Type.Boolean(),
	accepted: Type.Integer(),
	rejected: Type.Integer(),
	reasons: Type.Array(
		Type.Object({
			reason: Type.String(),
			count: Type.Integer(),
			counted: Type.Optional(
				Type.Literal(true, { description: "These hits were accepted; conversions count with amount 0" }),
			),
			origins: Type.Array(Type.Object({ origin: Type.String(), count: Type.Integer() })),
		}),
	),
});
