import { endTokensOf } from "../features/people/api-tokens/index.ts";
import { endInvitationsOf } from "../features/tenancy/invitations/index.ts";
import type { OrganizationEnding } from "../features/tenancy/organizations/index.ts";
import { endSitesOf } from "../features/tenancy/sites/index.ts";

export const organizationEndings: readonly OrganizationEnding[] = [endSitesOf, endTokensOf, endInvitationsOf];
