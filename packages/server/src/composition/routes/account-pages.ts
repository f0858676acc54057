import { endGrantsOf } from "../../features/connecting/oauth/index.ts";
import { registerSetup } from "../../features/people/auth/index.ts";
import { registerLinkPages } from "../../features/tenancy/link-pages/index.ts";
import { wakeSite } from "../../features/tenancy/provisioning/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { authOf } from "./auth-of.ts";

/** Dependencies of the account pages. */
export type AccountPagesDeps = Pick<RouteDeps, "config" | "metadata" | "clock" | "mailer" | "rootUrl" | "sites"> & {
	readonly hasDashboard: boolean;
};

/** The pages that the first-run link and the links of mails open. */
export function registerAccountPages(app: App, deps: AccountPagesDeps): void {
	const { config, mailer, rootUrl, sites, hasDashboard } = deps;
	const { secretKeyPrevious, registration } = config;
	const auth = authOf(deps);
	registerSetup(app, { ...auth, hasDashboard });
	registerLinkPages(app, {
		...auth,
		secretKeyPrevious,
		mailer,
		rootUrl,
		registration,
		sites,
		endGrantsOf,
		wakeSiteOf: wakeSite,
		hasDashboard,
	});
}
