import { registerAuditLog } from "../../features/auditing/audit-log/index.ts";
import { endGrantsOf } from "../../features/connecting/oauth/index.ts";
import { registerApiTokens } from "../../features/people/api-tokens/index.ts";
import {
	registerAddressChange,
	registerAuth,
	registerPasswords,
	registerRegistration,
} from "../../features/people/auth/index.ts";
import { registerImpersonation } from "../../features/people/impersonation/index.ts";
import { registerPreferences } from "../../features/people/preferences/index.ts";
import { registerTwoFactor } from "../../features/people/two-factor/index.ts";
import { registerUsers } from "../../features/people/users/index.ts";
import { membershipsWith } from "../../features/tenancy/organizations/index.ts";
import { wakeSite } from "../../features/tenancy/provisioning/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { authOf } from "./auth-of.ts";

/** Dependencies of users. */
export type PeopleDeps = Pick<
	RouteDeps,
	"config" | "metadata" | "clock" | "sites" | "mailer" | "rootUrl" | "requiresSubscription"
>;

/** Routes of users: signing up and in, credentials, activity. */
export function registerPeople(api: App, deps: PeopleDeps): void {
	const { config, metadata, clock, sites, mailer, rootUrl, requiresSubscription } = deps;
	const { secretKeyPrevious, registration } = config;
	const auth = authOf(deps);
	registerAuth(api, auth);
	registerRegistration(api, { ...auth, mailer, rootUrl, registration, requiresSubscription, endGrantsOf });
	registerPasswords(api, { ...auth, mailer, rootUrl, sites, endGrantsOf, wakeSiteOf: wakeSite });
	registerAddressChange(api, { ...auth, mailer, rootUrl });
	registerTwoFactor(api, { ...auth, mailer, secretKeyPrevious });
	registerImpersonation(api, auth);
	registerUsers(api, { metadata, clock });
	registerPreferences(api, { metadata, clock });
	registerApiTokens(api, { metadata, clock });
	registerAuditLog(api, {
		metadata,
		membershipsOf: (userId) => membershipsWith(metadata, userId, "audit"),
	});
}
