import { useSuspenseQuery } from "@tanstack/react-query";
import { Link, Outlet, useNavigate, useRouterState } from "@tanstack/react-router";
import { Ellipsis, LayoutGrid, Search, Share2, UserPlus } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { may } from "../../api/may.ts";
import { classes } from "../../lib/classes.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { useLater } from "../../lib/use-later.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Logo } from "../../ui/logo/logo.tsx";
import { useFrameTitle } from "../../ui/page/use-title.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { SkipLink } from "../../ui/skip-link/skip-link.tsx";
import { AccountMenu, AccountPanel } from "../account/index.ts";
import { FilterBar, FilterButton } from "../filters/index.ts";
import { LiveBadge } from "../live/index.ts";
import { openPalette } from "../palette/index.ts";
import { PeriodControls } from "../period/index.ts";
import { SavedViews } from "../saved-views/index.ts";
import { SaveSegment, SegmentPicker } from "../segments/index.ts";
import { sitesQuery, useSite, useSites } from "./queries.ts";
import { screenAt, siteScreens } from "./screens.ts";
import { changed, readSearch, shared, useSiteSearch } from "./search.ts";
import styles from "./site-frame.module.css";

const t = texts({
	en: {
		sites: "All sites",
		screens: "Screens",
		site: "Site",
		skip: "Skip to the content",
		more: "More",
		search: "Search",
		share: "Share",
		invite: "Invite",
	},
	es: {
		sites: "Todos los sitios",
		screens: "Pantallas",
		site: "Sitio",
		skip: "Ir al contenido",
		more: "Más",
		search: "Buscar",
		share: "Compartir",
		invite: "Invitar",
	},
});

const NoSite = lazily(() => import("./no-site.tsx").then((part) => ({ default: part.NoSite })));

const WarningsBell = lazily(async () => ({ default: (await import("../warnings/index.ts")).WarningsBell }));

/** Screens that a phone has room for; the rest is behind “More”. */
const onPhones: readonly string[] = ["r", "l", "g", "e"];

/** Frame of all screens of a site: navigation, site and selection. */
export function SiteFrame() {
	const { data } = useSuspenseQuery(sitesQuery);
	const id = useRouterState({
		select: ({ matches }) => (matches.at(-1)?.params as { id?: string } | undefined)?.id ?? "",
	});
	const path = useRouterState({ select: ({ location }) => location.pathname });
	const site = data.sites.find((one) => one.id === id);
	const screen = screenAt(path);
	useFrameTitle(site && screen.label, site?.name);
	if (site === undefined) {
		return (
			<Suspense>
				<NoSite id={id} />
			</Suspense>
		);
	}
	return (
		<div className={styles.frame}>
			<SkipLink label={t.skip} />
			<Rail id={id} />
			<div className={styles.column}>
				<TopBar path={path} />
				<main id="main" tabIndex={-1} aria-label={`${screen.label} · ${site.name}`} className={styles.main}>
					<Outlet />
				</main>
			</div>
		</div>
	);
}

function Rail({ id }: { readonly id: string }) {
	return (
		<nav aria-label={t.screens} className={styles.rail}>
			<Link to="/sites" className={styles.brand} aria-label={t.sites} title={t.sites}>
				<Logo />
			</Link>
			<div className={styles.links}>
				<ScreenLinks id={id} className={styles.link} />
				<More id={id} />
			</div>
			<div className={styles.foot}>
				<Link to="/sites" className={styles.link} activeOptions={{ exact: true }}>
					<LayoutGrid size={20} aria-hidden="true" />
					{t.sites}
				</Link>
				<button type="button" className={styles.link} title={`${t.search} (Ctrl K)`} onClick={openPalette}>
					<Search size={20} aria-hidden="true" />
					{t.search}
				</button>
				<AccountMenu />
			</div>
		</nav>
	);
}

interface ScreenLinksProps {
	readonly id: string;
	readonly className: string | undefined;
	/** Only those that phones have no room for. */
	readonly isRest?: boolean;
	readonly onGo?: () => void;
}

/** Links to the screens of the site, with the current selection. */
function ScreenLinks({ id, className, isRest = false, onGo }: ScreenLinksProps) {
	const kept = changed(readSearch({}), shared(useSiteSearch()));
	return siteScreens
		.filter(({ key }) => !isRest || !onPhones.includes(key))
		.map(({ to, label, icon: Icon, key }) => (
			<Link
				key={to}
				to={to}
				params={{ id }}
				search={kept}
				className={classes(className, !isRest && !onPhones.includes(key) && styles.wide)}
				activeOptions={{ exact: to === "/sites/$id", includeSearch: false }}
				{...(onGo && { onClick: onGo })}
			>
				<Icon size={20} aria-hidden="true" />
				{label}
			</Link>
		));
}

/** On phones: other screens, other sites and the account. */
function More({ id }: { readonly id: string }) {
	return (
		<div className={styles.more}>
			<Popover
				look="quiet"
				buttonProps={{ className: styles.link }}
				label={
					<>
						<Ellipsis size={20} aria-hidden="true" />
						{t.more}
					</>
				}
			>
				{(close) => (
					<>
						<div className={styles.sheet}>
							<ScreenLinks id={id} className={styles.row} isRest onGo={close} />
							<Link to="/sites" className={styles.row} activeOptions={{ exact: true }} onClick={close}>
								<LayoutGrid size={20} aria-hidden="true" />
								{t.sites}
							</Link>
							<button
								type="button"
								className={styles.row}
								onClick={() => {
									close();
									openPalette();
								}}
							>
								<Search size={20} aria-hidden="true" />
								{t.search}
							</button>
						</div>
						<AccountPanel close={close} />
					</>
				)}
			</Popover>
		</div>
	);
}

function TopBar({ path }: { readonly path: string }) {
	const isLater = useLater();
	return (
		<header className={styles.top}>
			<div className={styles.name}>
				<SiteSwitcher />
				<Suspense>
					<LiveBadge />
				</Suspense>
				<Suspense>{isLater && <WarningsBell />}</Suspense>
			</div>
			<Sharing />
			<Controls path={path} />
		</header>
	);
}

const ways = [
	{ write: "POST /sites/{id}/share-links", to: "/sites/$id/settings/sharing", label: t.share, icon: Share2 },
	{ write: "POST /sites/{id}/users", to: "/sites/$id/settings/people", label: t.invite, icon: UserPlus },
] as const;

/** Links to the dialogs by which others get to see the site, where there is room. */
function Sharing() {
	const { id, role } = useSite();
	const search = changed(readSearch({}), { ...shared(useSiteSearch()), panel: "new" });
	return (
		<div className={styles.ways}>
			{ways
				.filter(({ write }) => may(write, role))
				.map(({ to, label, icon: Icon }) => (
					<Link
						key={to}
						to={to}
						params={{ id }}
						search={search}
						aria-label={label}
						title={label}
						className={buttonClass("quiet")}
					>
						<Icon size={18} aria-hidden="true" />
					</Link>
				))}
		</div>
	);
}

function Controls({ path }: { readonly path: string }): ReactNode {
	// Settings are of no period, and no filter changes them; an export has its own days; live figures are those of now.
	// Questions name their days themselves; insights are of the weeks that have passed.
	if (/\/settings|\/insights|\/(exports|ask)$/.test(path)) return null;
	// Bots are of a period, and of no visits that a filter could choose or a period before be compared with.
	if (path.endsWith("/bots")) {
		return (
			<div className={styles.controls}>
				<PeriodControls isAlone />
			</div>
		);
	}
	return (
		<>
			<div className={styles.controls}>
				<div className={styles.choices}>
					<FilterButton />
					<SegmentPicker />
					<SavedViews path={path} />
				</div>
				{!path.endsWith("/live") && <PeriodControls />}
			</div>
			<FilterBar>
				<SaveSegment />
			</FilterBar>
		</>
	);
}

function SiteSwitcher() {
	const site = useSite();
	const search = useSiteSearch();
	const navigate = useNavigate();
	const sites = useSites(site.id);
	const path = useRouterState({ select: ({ location }) => location.pathname });
	// The other site has its own filters and segments; the screen stays.
	const go = (id: string) =>
		void navigate({
			to: screenAt(path).to,
			params: { id },
			search: changed(readSearch({}), { ...shared(search), f: [], segment: undefined }),
		});
	return (
		<select
			aria-label={t.site}
			className={styles.switcher}
			value={site.id}
			onChange={(event) => go(event.target.value)}
		>
			{sites.map(({ id, name }) => (
				<option key={id} value={id}>
					{name}
				</option>
			))}
		</select>
	);
}
