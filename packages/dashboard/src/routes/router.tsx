import type { QueryClient } from "@tanstack/react-query";
import {
	createRootRouteWithContext,
	createRoute,
	createRouter,
	lazyRouteComponent,
	Outlet,
	type RouteComponent,
	redirect,
} from "@tanstack/react-router";
import { session } from "../api/session.ts";
import { ReportScreen } from "../features/report/report-screen.tsx";
import { sitesQuery } from "../features/site/queries.ts";
import { SiteFrame } from "../features/site/site-frame.tsx";
import { asFailure } from "../lib/failure.ts";
import { ErrorScreen, NotFoundScreen, PendingScreen } from "./fallbacks.tsx";
import { outerRoutes } from "./outer-routes.ts";
import { parseSearch, stringifySearch } from "./search-text.ts";
import { settingsRoutes } from "./settings-routes.ts";
import { Shell } from "./shell.tsx";
import { siteRoutes } from "./site-routes.ts";

const root = createRootRouteWithContext<{ readonly queries: QueryClient }>()({ component: Outlet });

/** Routes that need a session; other users return to them after signing in. */
const signedIn = createRoute({
	getParentRoute: () => root,
	id: "signed-in",
	component: Shell,
	beforeLoad: async ({ context, location }) => {
		const toSignIn = () => redirect({ to: "/sign-in", search: location.href === "/" ? {} : { next: location.href } });
		if (!session.mayExist) throw toSignIn();
		try {
			await context.queries.ensureQueryData(sitesQuery);
		} catch (error) {
			if (asFailure(error).status === 401) throw toSignIn();
			throw error;
		}
	},
});

const page = <Path extends string>(path: Path, component: RouteComponent) =>
	createRoute({ getParentRoute: () => signedIn, path, component });
const open = <Path extends string>(path: Path, component: RouteComponent) =>
	createRoute({ getParentRoute: () => root, path, component });

/** `/` is the only site, or the list of them, or the way to the first one. */
const home = createRoute({
	getParentRoute: () => signedIn,
	path: "/",
	beforeLoad: async ({ context }) => {
		const { sites, ip_filtered_accounts: shut } = await context.queries.ensureQueryData(sitesQuery);
		const [only, another] = sites.filter(({ is_active: isActive }) => isActive);
		// Sites that rest, and those that are shut to this address, are no reason to make another one.
		const isNew = sites.length === 0 && shut.length === 0;
		if (only === undefined) throw redirect({ to: isNew ? "/sites/new" : "/sites" });
		throw another === undefined ? redirect({ to: "/sites/$id", params: { id: only.id } }) : redirect({ to: "/sites" });
	},
});

const site = createRoute({
	getParentRoute: () => signedIn,
	path: "/sites/$id",
	component: SiteFrame,
});
const screen = <Path extends string>(path: Path, component: RouteComponent) =>
	createRoute({ getParentRoute: () => site, path, component });
const settings = createRoute({
	getParentRoute: () => site,
	path: "/settings",
	component: lazyRouteComponent(() => import("../features/settings/settings-frame.tsx"), "SettingsFrame"),
});
const setting = <Path extends string>(path: Path, component: RouteComponent) =>
	createRoute({ getParentRoute: () => settings, path, component });

const sharedPage = lazyRouteComponent(() => import("../features/shared/shared-screen.tsx"), "SharedScreen");

const tree = root.addChildren([
	open(
		"/sign-in",
		lazyRouteComponent(() => import("../features/auth/sign-in-screen.tsx"), "SignInScreen"),
	),
	open(
		"/sign-up",
		lazyRouteComponent(() => import("../features/auth/sign-up-screen.tsx"), "SignUpScreen"),
	),
	open(
		"/forgot-password",
		lazyRouteComponent(() => import("../features/auth/forgot-password-screen.tsx"), "ForgotPasswordScreen"),
	),
	open("/share/$token", sharedPage),
	open("/embed/$token", sharedPage),
	signedIn.addChildren([
		home,
		...outerRoutes.map(([path, component]) => page(path, component)),
		site.addChildren([
			screen("/", ReportScreen),
			...siteRoutes.map(([path, component]) => screen(path, component)),
			settings.addChildren(settingsRoutes.map(([path, component]) => setting(path, component))),
		]),
	]),
]);

/** Routes of the application. */
export const makeRouter = (queries: QueryClient) =>
	createRouter({
		routeTree: tree,
		context: { queries },
		defaultPreload: "intent",
		defaultPreloadDelay: 80,
		scrollRestoration: true,
		parseSearch,
		stringifySearch,
		defaultErrorComponent: ErrorScreen,
		defaultNotFoundComponent: NotFoundScreen,
		defaultPendingComponent: PendingScreen,
	});
