export { type ClaimDeps, checkClaimLink, claimSite, endUnclaimedSites, resendClaim, wakeSite } from "./claim-site.ts";
export { createProvisionKey, revokeProvisionKey } from "./provision-keys.ts";
export {
	ClaimBody,
	claimResendLimits,
	presentProvisionKey,
	ResendBody as ResendClaimBody,
	registerProvisioning,
} from "./routes.ts";
export { listProvisionKeys } from "./store.ts";
