import { registerOAuth } from "../../features/connecting/oauth/index.ts";
import type { App } from "../../platform/http/app.ts";
import type { RouteDeps } from "../app-deps.ts";
import { authOf } from "./auth-of.ts";

/** Dependencies of the access of apps. */
export type AppAccessDeps = Pick<
	RouteDeps,
	| "config"
	| "metadata"
	| "clock"
	| "sites"
	| "mailer"
	| "rootUrl"
	| "guardedFetch"
	| "allowLocalhost"
	| "requiresSubscription"
>;

/** Apps of others: how users let them in and end that. */
export function registerAppAccess(api: App, deps: AppAccessDeps): void {
	const { config, mailer, rootUrl, guardedFetch, sites, allowLocalhost, requiresSubscription } = deps;
	const { registration, defaultPlan } = config;
	registerOAuth(api, {
		...authOf(deps),
		mailer,
		rootUrl,
		registration,
		guardedFetch,
		sites,
		defaultPlan,
		allowLocalhost,
		requiresSubscription,
	});
}
