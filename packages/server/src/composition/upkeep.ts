import { dropOldEntries } from "../features/auditing/audit-log/index.ts";
import { forgetOldConversations } from "../features/connecting/assistant/index.ts";
import { dropEndedAccess, endGrantsOf } from "../features/connecting/oauth/index.ts";
import { dropEndedTokens } from "../features/people/api-tokens/index.ts";
import { forgetEndedSessions } from "../features/people/auth/index.ts";
import { dropEndedInvitations } from "../features/tenancy/invitations/index.ts";
import { purgeOrganizations } from "../features/tenancy/organizations/index.ts";
import { endUnclaimedSites } from "../features/tenancy/provisioning/index.ts";
import { removeUnconfirmedAccounts } from "../features/tenancy/user-removal/index.ts";
import type { Jobs } from "../platform/jobs/jobs.ts";
import type { AppDeps, InMemory } from "./app-deps.ts";
import { organizationEndings } from "./organization-endings.ts";

type UpkeepDeps = AppDeps & Pick<InMemory, "sites" | "ipAllowlists">;

/** Maintenance jobs (UTC): name, times, work. */
const upkeep: readonly (readonly [name: string, cron: string, work: (deps: UpkeepDeps) => Promise<unknown>])[] = [
	["audit-log-retention", "23 3 * * *", dropOldEntries],
	["ip-allowlist-retention", "41 3 * * *", ({ ipAllowlists }) => ipAllowlists.dropOldAttempts()],
	["unclaimed-sites", "47 3 * * *", endUnclaimedSites],
	[
		"unconfirmed-accounts",
		"59 3 * * *",
		(deps) => removeUnconfirmedAccounts({ ...deps, endings: organizationEndings, endGrantsOf }),
	],
	["assistant-retention", "29 3 * * *", forgetOldConversations],
	["oauth-retention", "7 * * * *", dropEndedAccess],
	[
		"credential-retention",
		"13 5 * * *",
		async ({ metadata, clock }) => {
			await dropEndedTokens({ metadata, clock });
			await dropEndedInvitations({ metadata, clock });
		},
	],
	["organization-purge", "31 4 * * *", purgeOrganizations],
	["session-retention", "53 3 * * *", ({ metadata, clock }) => forgetEndedSessions(metadata, "everybody", clock.now())],
];

export function scheduleUpkeep(jobs: Jobs, deps: UpkeepDeps): void {
	for (const [name, cron, work] of upkeep) {
		jobs.schedule(name, cron, async () => {
			await work(deps);
		});
	}
}
