export { checkClaimLink, claimSite, resendClaim } from "./claim-site.ts";
export type { ClaimDeps } from "./deps.ts";
export { presentProvisionKey } from "./present.ts";
export { createProvisionKey, listProvisionKeys, revokeProvisionKey } from "./provision-keys.ts";
export { claimResendLimits, registerProvisioning } from "./routes.ts";
export { ClaimBody, ResendBody as ResendClaimBody } from "./schemas.ts";
export { endUnclaimedSites, wakeSite } from "./unclaimed-sites.ts";
