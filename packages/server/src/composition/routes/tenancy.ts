import { siteActivity } from "../../analytics/query/reports/site-activity.ts";
import { endGrantsOf } from "../../features/connecting/oauth/index.ts";
import { registerBlocklist } from "../../features/tenancy/blocklist/index.ts";
import { registerInvitations } from "../../features/tenancy/invitations/index.ts";
import { registerIpAllowlist } from "../../features/tenancy/ip-allowlist/index.ts";
import { registerMembers } from "../../features/tenancy/members/index.ts";
import { registerOrganizationPlan } from "../../features/tenancy/organization-plan/index.ts";
import { registerOrganizations } from "../../features/tenancy/organizations/index.ts";
import { registerProvisioning } from "../../features/tenancy/provisioning/index.ts";
import { registerShareLinks } from "../../features/tenancy/share-links/index.ts";
import { registerSites } from "../../features/tenancy/sites/index.ts";
import { registerUserAdministration } from "../../features/tenancy/user-administration/index.ts";
import { registerAccountClosing } from "../../features/tenancy/user-removal/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { organizationEndings } from "../organization-endings.ts";
import { authOf } from "./auth-of.ts";
import { segmentIdsOf } from "./segment-ids.ts";

/** Dependencies of tenants. */
export type TenancyDeps = Pick<
	RouteDeps,
	| "config"
	| "metadata"
	| "clock"
	| "eventStore"
	| "sites"
	| "ipAllowlists"
	| "mailer"
	| "rootUrl"
	| "guardedFetch"
	| "scriptCounts"
	| "rejections"
>;

/** Organizations and sites, who may see them, and how they are set up. */
export function registerTenancy(api: App, deps: TenancyDeps): void {
	registerOrganizationRoutes(api, deps);
	registerSiteRoutes(api, deps);
}

function registerOrganizationRoutes(api: App, deps: TenancyDeps): void {
	const { config, metadata, clock, sites, mailer, rootUrl } = deps;
	const { registration, defaultPlan, secretKeyPrevious } = config;
	const endings = organizationEndings;
	registerUserAdministration(api, { metadata, clock, sites, endings, endGrantsOf });
	registerAccountClosing(api, { ...authOf(deps), secretKeyPrevious, mailer, rootUrl, sites, endings, endGrantsOf });
	registerOrganizations(api, { metadata, clock, sites, defaultPlan, endings });
	registerOrganizationPlan(api, { metadata, clock, sites });
	registerMembers(api, { metadata, clock });
	registerInvitations(api, { ...authOf(deps), mailer, rootUrl, registration });
}

function registerSiteRoutes(api: App, deps: TenancyDeps): void {
	const { config, metadata, clock, eventStore, sites, mailer, rootUrl, rejections } = deps;
	const { defaultPlan, publicUrl, provisioningEnabled, provisionKeys = [] } = config;
	const activity = (siteId: string) => siteActivity({ eventStore, clock }, siteId);
	registerSites(api, {
		metadata,
		clock,
		sites,
		defaultPlan,
		publicUrl,
		activity,
		rejections,
		scriptRequests: deps.scriptCounts,
		mailer,
		rootUrl,
		guardedFetch: deps.guardedFetch,
	});
	registerIpAllowlist(api, deps.ipAllowlists);
	registerBlocklist(api, { metadata, clock, sites });
	registerShareLinks(api, {
		metadata,
		clock,
		rootUrl,
		secretKey: config.secretKey,
		secretKeyPrevious: config.secretKeyPrevious,
		segmentIdOf: segmentIdsOf(metadata),
	});
	registerProvisioning(api, {
		...authOf(deps),
		mailer,
		rootUrl,
		sites,
		provisioningEnabled,
		provisionKeys,
	});
}
