import { lazyRouteComponent } from "@tanstack/react-router";

const insights = () => import("../features/insights/screens.ts");

/** Screens of a site: the routes below `/sites/{id}`. */
export const siteRoutes = [
	["/why", lazyRouteComponent(() => import("../features/why/why-screen.tsx"), "WhyScreen")],
	["/live", lazyRouteComponent(() => import("../features/live/live-screen.tsx"), "LiveScreen")],
	["/goals", lazyRouteComponent(() => import("../features/goals/goals-screen.tsx"), "GoalsScreen")],
	["/goals/events", lazyRouteComponent(() => import("../features/goals/events-screen.tsx"), "EventsScreen")],
	[
		"/goals/properties",
		lazyRouteComponent(() => import("../features/goals/properties-screen.tsx"), "PropertiesScreen"),
	],
	["/funnels", lazyRouteComponent(() => import("../features/funnels/funnels-screen.tsx"), "FunnelsScreen")],
	["/explore", lazyRouteComponent(() => import("../features/explore/explore-screen.tsx"), "ExploreScreen")],
	["/ask", lazyRouteComponent(() => import("../features/assistant/ask-screen.tsx"), "AskScreen")],
	["/insights", lazyRouteComponent(insights, "InsightsScreen")],
	["/insights/reports", lazyRouteComponent(insights, "ReportsScreen")],
	["/insights/reports/$report", lazyRouteComponent(insights, "ReportPage")],
	["/bots", lazyRouteComponent(() => import("../features/bots/bots-screen.tsx"), "BotsScreen")],
	["/exports", lazyRouteComponent(() => import("../features/exports/exports-screen.tsx"), "ExportsScreen")],
] as const;
