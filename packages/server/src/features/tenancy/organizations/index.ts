export { organizationForNewSite, type SiteCreator } from "./create-organization.ts";
export type { OrganizationEnding } from "./delete-organization.ts";
export { endOrganization, purgeOrganizations } from "./delete-organization.ts";
export { describeOrganization, Organization, OrganizationParams, OrgRoleName } from "./describe-organizations.ts";
export {
	changeInTurn,
	changeOrganization,
	checkMemberSeats,
	checkOwnerCeiling,
	checkSeats,
	type HeldOrganization,
	type Requester,
	readingOrganization,
	readingOrganizationAs,
	recordOrganization,
	recordRole,
	type SiteChange,
	siteChangeOf,
	siteIsFull,
	writingOrganization,
} from "./hold-organization.ts";
export { type PlanTier, planAllows, planFeatures, planOf, planTiers, quotaExceeded, requireFeature } from "./plans.ts";
export { registerOrganizations } from "./routes.ts";
export {
	findOrganization,
	hasOtherOwner,
	invitations,
	leadersOf,
	leadersOfEach,
	listMembers,
	lockOrganization,
	membershipsOf,
	type OrganizationRow,
	organizationMembers,
	organizations,
	roleIn,
} from "./store.ts";
