import { lazyRouteComponent } from "@tanstack/react-router";

/** Settings of a site: the routes below `/sites/{id}/settings`. */
export const settingsRoutes = [
	["/", lazyRouteComponent(() => import("../features/site-settings/general-screen.tsx"), "GeneralScreen")],
	["/alerts", lazyRouteComponent(() => import("../features/alerts/alerts-screen.tsx"), "AlertsScreen")],
	["/insights", lazyRouteComponent(() => import("../features/insights/settings-screen.tsx"), "InsightSettingsScreen")],
	["/install", lazyRouteComponent(() => import("../features/install/install-screen.tsx"), "InstallScreen")],
	[
		"/reports",
		lazyRouteComponent(() => import("../features/mail-reports/mail-reports-screen.tsx"), "MailReportsScreen"),
	],
	["/webhooks", lazyRouteComponent(() => import("../features/webhooks/webhooks-screen.tsx"), "WebhooksScreen")],
	[
		"/webhooks/$endpoint",
		lazyRouteComponent(() => import("../features/webhooks/endpoint-screen.tsx"), "EndpointScreen"),
	],
	[
		"/webhooks/$endpoint/deliveries/$delivery",
		lazyRouteComponent(() => import("../features/webhooks/delivery-screen.tsx"), "DeliveryScreen"),
	],
	["/access", lazyRouteComponent(() => import("../features/allowlist/allowlist-screen.tsx"), "AllowlistScreen")],
	["/exports", lazyRouteComponent(() => import("../features/exports/exports-screen.tsx"), "ExportsScreen")],
	["/imports", lazyRouteComponent(() => import("../features/imports/imports-screen.tsx"), "ImportsScreen")],
	["/bigquery", lazyRouteComponent(() => import("../features/bigquery/bigquery-screen.tsx"), "BigQueryScreen")],
	["/people", lazyRouteComponent(() => import("../features/people/people-screen.tsx"), "PeopleScreen")],
	["/sources", lazyRouteComponent(() => import("../features/sources/sources-screen.tsx"), "SourcesScreen")],
	["/channels", lazyRouteComponent(() => import("../features/channels/channels-screen.tsx"), "ChannelsScreen")],
	["/segments", lazyRouteComponent(() => import("../features/segments/segments-screen.tsx"), "SegmentsScreen")],
	["/blocklist", lazyRouteComponent(() => import("../features/blocklist/blocklist-screen.tsx"), "BlocklistScreen")],
	["/sharing", lazyRouteComponent(() => import("../features/sharing/sharing-screen.tsx"), "SharingScreen")],
	["/data", lazyRouteComponent(() => import("../features/site-settings/keeping-screen.tsx"), "KeepingScreen")],
	["/activity", lazyRouteComponent(() => import("../features/activity/activity-screen.tsx"), "ActivityScreen")],
] as const;
