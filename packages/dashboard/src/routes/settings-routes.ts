import { lazyRouteComponent } from "@tanstack/react-router";

/** The settings of a site: what stands below `/sites/{id}/settings`, and what it shows. */
export const settingsRoutes = [
	["/install", lazyRouteComponent(() => import("../features/install/install-screen.tsx"), "InstallScreen")],
] as const;
