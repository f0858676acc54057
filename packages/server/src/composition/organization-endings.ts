import { endTokensOf } from "../features/accounts/api-tokens/index.ts";
import { endInvitationsOf } from "../features/accounts/invitations/index.ts";
import type { OrganizationEnding } from "../features/accounts/organizations/index.ts";
import { endSitesOf } from "../features/accounts/sites/index.ts";

/** What ends together with an organization. */
export const organizationEndings: readonly OrganizationEnding[] = [endSitesOf, endTokensOf, endInvitationsOf];
