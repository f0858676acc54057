import { lazyRouteComponent } from "@tanstack/react-router";

const account = () => import("../features/account/screens.ts");
const organizations = () => import("../features/organizations/screens.ts");

/** Screens of no site: account, organizations, administration, developers. */
export const outerRoutes = [
	["/sites", lazyRouteComponent(() => import("../features/sites/sites-screen.tsx"), "SitesScreen")],
	["/sites/new", lazyRouteComponent(() => import("../features/sites/new-site-screen.tsx"), "NewSiteScreen")],
	["/admin/$screen", lazyRouteComponent(() => import("../features/admin/admin-screens.tsx"), "AdminScreens")],
	["/account", lazyRouteComponent(account, "ProfileScreen")],
	["/account/security", lazyRouteComponent(account, "SecurityScreen")],
	["/account/tokens", lazyRouteComponent(account, "TokensScreen")],
	["/account/apps", lazyRouteComponent(account, "AppsScreen")],
	["/organizations", lazyRouteComponent(organizations, "OrganizationsScreen")],
	["/organizations/new", lazyRouteComponent(organizations, "NewOrganizationScreen")],
	["/organizations/$slug", lazyRouteComponent(organizations, "OrganizationScreen")],
	[
		"/organizations/$slug/billing",
		lazyRouteComponent(() => import("../features/billing/billing-screen.tsx"), "BillingScreen"),
	],
	["/developers", lazyRouteComponent(() => import("../features/developers/developers-screen.tsx"), "DevelopersScreen")],
] as const;
