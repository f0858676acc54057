import { lazyRouteComponent } from "@tanstack/react-router";

/** Screens of no site: account, organizations, administration, developers. */
export const outerRoutes = [
	["/sites", lazyRouteComponent(() => import("../features/sites/sites-screen.tsx"), "SitesScreen")],
	["/sites/new", lazyRouteComponent(() => import("../features/sites/new-site-screen.tsx"), "NewSiteScreen")],
	["/admin/$screen", lazyRouteComponent(() => import("../features/admin/admin-screens.tsx"), "AdminScreens")],
] as const;
