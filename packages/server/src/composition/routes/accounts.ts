import { siteActivity } from "../../analytics/query/reports/site-activity.ts";
import { registerApiTokens } from "../../features/accounts/api-tokens/index.ts";
import { registerAuditLog } from "../../features/accounts/audit-log/index.ts";
import { registerAuth, registerPasswords, registerRegistration } from "../../features/accounts/auth/index.ts";
import { registerBlocklist } from "../../features/accounts/blocklist/index.ts";
import { registerImpersonation } from "../../features/accounts/impersonation/index.ts";
import { registerInvitations } from "../../features/accounts/invitations/index.ts";
import { registerIpAllowlist } from "../../features/accounts/ip-allowlist/index.ts";
import { registerMembers } from "../../features/accounts/members/index.ts";
import { registerOrganizationPlan } from "../../features/accounts/organization-plan/index.ts";
import { membershipsWith, registerOrganizations } from "../../features/accounts/organizations/index.ts";
import { registerProvisioning } from "../../features/accounts/provisioning/index.ts";
import { registerSites } from "../../features/accounts/sites/index.ts";
import { registerTwoFactor } from "../../features/accounts/two-factor/index.ts";
import { registerUserAdministration } from "../../features/accounts/user-administration/index.ts";
import { registerUsers } from "../../features/accounts/users/index.ts";
import { endGrantsOf } from "../../features/connecting/oauth/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { organizationEndings } from "../organization-endings.ts";
import { authOf } from "./auth-of.ts";

/** Users, what they belong to, and how they come in. */
export function registerAccounts(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, sites, mailer, rootUrl, requiresSubscription } = deps;
	const { secretKeyPrevious, registration } = config;
	const auth = authOf(deps);
	registerAuth(api, auth);
	registerRegistration(api, { ...auth, mailer, rootUrl, registration, requiresSubscription, endGrantsOf });
	registerPasswords(api, { ...auth, mailer, rootUrl, sites, endGrantsOf });
	registerTwoFactor(api, { ...auth, mailer, secretKeyPrevious });
	registerImpersonation(api, auth);
	registerUsers(api, { metadata, clock });
	registerUserAdministration(api, { metadata, clock });
	registerApiTokens(api, { metadata, clock });
	registerAuditLog(api, {
		metadata,
		membershipsOf: (userId) => membershipsWith(metadata, userId, "audit"),
	});
	registerOrganizations(api, { metadata, clock, sites, defaultPlan: config.defaultPlan, endings: organizationEndings });
	registerOrganizationPlan(api, { metadata, clock, sites });
	registerMembers(api, { metadata, clock });
	registerInvitations(api, { ...auth, mailer, rootUrl, registration });
}

/** Sites, who may see them, and how they are set up. */
export function registerSiteSettings(api: App, deps: RouteDeps): void {
	const { config, metadata, clock, eventStore, sites, mailer, rootUrl, allowLocalhost, rejections } = deps;
	const { defaultPlan, publicUrl, provisioningEnabled, provisionKeys = [] } = config;
	const activity = (siteId: string) => siteActivity({ eventStore, clock }, siteId);
	registerSites(api, { metadata, clock, sites, defaultPlan, allowLocalhost, publicUrl, activity, rejections });
	registerIpAllowlist(api, deps.ipAllowlists);
	registerBlocklist(api, { metadata, clock, sites });
	registerProvisioning(api, {
		...authOf(deps),
		mailer,
		rootUrl,
		sites,
		allowLocalhost,
		provisioningEnabled,
		provisionKeys,
	});
}
