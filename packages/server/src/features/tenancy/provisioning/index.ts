export { checkClaimLink, claimSite, resendClaim } from "./claim-site.ts";
export type { ClaimDeps } from "./deps.ts";
export { createProvisionKey, listProvisionKeys, revokeProvisionKey } from "./provision-keys.ts";
export {
	ClaimBody,
	claimResendLimits,
	presentProvisionKey,
	ResendBody as ResendClaimBody,
	registerProvisioning,
} from "./routes.ts";
export { endUnclaimedSites, wakeSite } from "./unclaimed-sites.ts";
