export { organizationForNewSite, type SiteCreator } from "./organization-for-site.ts";
export { type PlanTier, planOf } from "./plans.ts";
export { findOrganization, leadersOf, lockOrganization, type OrganizationRow, roleIn } from "./store.ts";
