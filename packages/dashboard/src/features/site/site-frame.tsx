import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Activity, BarChart3, Bot, Filter, Grid3x3, Settings, Target, Undo2 } from "lucide-react";
import type { ReactNode } from "react";
import { texts } from "../../lib/language.ts";
import { Logo } from "../../ui/logo/logo.tsx";
import { FilterBar, FilterButton } from "../filters/index.ts";
import { LiveBadge } from "../live/index.ts";
import { PeriodControls } from "../period/index.ts";
import { SaveSegment, SegmentPicker } from "../segments/index.ts";
import { NoSite } from "./no-site.tsx";
import { sitesQuery, useSite } from "./queries.ts";
import { changed, shared, useSiteSearch } from "./search.ts";
import styles from "./site-frame.module.css";

const t = texts({
	en: {
		report: "Report",
		live: "Live",
		goals: "Goals",
		funnels: "Funnels",
		explore: "Explore",
		bots: "Bots",
		settings: "Settings",
		sites: "All sites",
		screens: "Screens",
		site: "Site",
		skip: "Skip to the content",
	},
	es: {
		report: "Informe",
		live: "En vivo",
		goals: "Objetivos",
		funnels: "Embudos",
		explore: "Explorar",
		bots: "Bots",
		settings: "Ajustes",
		sites: "Todos los sitios",
		screens: "Pantallas",
		site: "Sitio",
		skip: "Ir al contenido",
	},
});

const screens = [
	{ to: "/sites/$id", label: t.report, icon: BarChart3 },
	{ to: "/sites/$id/live", label: t.live, icon: Activity },
	{ to: "/sites/$id/goals", label: t.goals, icon: Target },
	{ to: "/sites/$id/funnels", label: t.funnels, icon: Filter },
	{ to: "/sites/$id/explore", label: t.explore, icon: Grid3x3 },
	{ to: "/sites/$id/bots", label: t.bots, icon: Bot },
	{ to: "/sites/$id/settings/install", label: t.settings, icon: Settings },
] as const;

/** What all screens of a site stand in: where one can go, which site it is, what is looked at. */
export function SiteFrame() {
	const { data } = useSuspenseQuery(sitesQuery);
	const id = useRouterState({
		select: ({ matches }) => (matches.at(-1)?.params as { id?: string } | undefined)?.id ?? "",
	});
	if (!data.sites.some((site) => site.id === id)) return <NoSite id={id} />;
	return (
		<div className={styles.frame}>
			<a className="visually-hidden" href="#main">
				{t.skip}
			</a>
			<Rail id={id} />
			<div className={styles.column}>
				<TopBar />
				<main id="main" className={styles.main}>
					<Outlet />
				</main>
			</div>
		</div>
	);
}

function Rail({ id }: { readonly id: string }) {
	const kept = changed(useSiteSearch(), {
		metric: undefined,
		metric2: undefined,
		by: undefined,
		panel: undefined,
		sort: undefined,
		q: undefined,
		page: undefined,
		view: undefined,
	});
	return (
		<nav aria-label={t.screens} className={styles.rail}>
			<Link to="/sites" className={styles.brand} aria-label={t.sites}>
				<Logo />
			</Link>
			<div className={styles.links}>
				{screens.map(({ to, label, icon: Icon }) => (
					<Link
						key={to}
						to={to}
						params={{ id }}
						search={kept}
						className={styles.link ?? ""}
						activeOptions={{ exact: to === "/sites/$id", includeSearch: false }}
					>
						<Icon size={20} aria-hidden="true" />
						{label}
					</Link>
				))}
			</div>
			<Link to="/sites" className={`${styles.link} ${styles.foot}`} activeOptions={{ exact: true }}>
				<Undo2 size={20} aria-hidden="true" />
				{t.sites}
			</Link>
		</nav>
	);
}

function TopBar() {
	return (
		<header className={styles.top}>
			<div className={styles.name}>
				<SiteSwitcher />
				<LiveBadge />
			</div>
			<Controls />
			<FilterBar>
				<SaveSegment />
			</FilterBar>
		</header>
	);
}

function Controls(): ReactNode {
	const path = useRouterState({ select: ({ location }) => location.pathname });
	// Live figures are those of now, and settings have no period.
	if (/\/(live|settings)/.test(path)) return null;
	return (
		<>
			<FilterButton />
			<SegmentPicker />
			<PeriodControls />
		</>
	);
}

function SiteSwitcher() {
	const site = useSite();
	const search = useSiteSearch();
	const navigate = useNavigate();
	const { data } = useSuspenseQuery(sitesQuery);
	const go = (id: string) =>
		void navigate({
			to: "/sites/$id",
			params: { id },
			search: changed(search, { ...shared(search), f: [], segment: undefined, panel: undefined }),
		});
	return (
		<select
			aria-label={t.site}
			className={styles.switcher}
			value={site.id}
			onChange={(event) => go(event.target.value)}
		>
			{data.sites.map(({ id, name }) => (
				<option key={id} value={id}>
					{name}
				</option>
			))}
		</select>
	);
}
