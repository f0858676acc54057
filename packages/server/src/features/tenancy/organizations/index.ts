export { organizationForNewSite, type SiteCreator } from "./create-organization.ts";
export type { OrganizationEnding } from "./delete-organization.ts";
export { purgeOrganizations } from "./delete-organization.ts";
export { describeOrganization } from "./describe-organizations.ts";
export {
	changeInTurn,
	checkOwnerCeiling,
	type HeldOrganization,
	holdOrganization,
	type Requester,
	readingOrganization,
	readingOrganizationAs,
	recordOrganization,
	recordRole,
	type SiteChange,
	siteIsFull,
	writingOrganization,
} from "./hold-organization.ts";
export { type PlanTier, planAllows, planFeatures, planOf, planTiers, quotaExceeded, requireFeature } from "./plans.ts";
export { registerOrganizations } from "./routes.ts";
export { Organization, OrganizationParams, OrgRoleName } from "./schemas.ts";
export { checkMemberSeats, checkSeats } from "./seats.ts";
export {
	deleteMember,
	findOrganization,
	findOrganizationBySlug,
	hasOtherOwner,
	insertMember,
	leadersOf,
	leadersOfEach,
	listMembers,
	lockOrganization,
	membershipsOf,
	type OrganizationRow,
	roleIn,
	updateMemberRole,
	updateOrganization,
} from "./store.ts";
