export type { OrganizationEnding } from "./delete-organization.ts";
export { describeOrganization } from "./describe-organizations.ts";
export { readingOrganization, readingOrganizationAs, writingOrganization } from "./guards.ts";
export {
	changeInTurn,
	checkOwnerCeiling,
	type HeldOrganization,
	holdOrganization,
	type Requester,
	recordRole,
	type SiteChange,
	siteIsFull,
} from "./hold-organization.ts";
export { deleteMember, hasOtherOwner, insertMember, listMembers, updateMemberRole } from "./members-store.ts";
export { organizationForNewSite, type SiteCreator } from "./organization-for-site.ts";
export { type PlanTier, planAllows, planFeatures, planOf, planTiers, quotaExceeded, requireFeature } from "./plans.ts";
export { purgeOrganizations } from "./purge-organizations.ts";
export { registerOrganizations } from "./routes.ts";
export { Organization, OrganizationParams, OrgRoleName } from "./schemas.ts";
export { checkMemberSeats, checkSeats } from "./seats.ts";
export {
	findOrganization,
	findOrganizationBySlug,
	leadersOf,
	leadersOfEach,
	lockOrganization,
	membershipsOf,
	type OrganizationRow,
	roleIn,
	updateOrganization,
} from "./store.ts";
