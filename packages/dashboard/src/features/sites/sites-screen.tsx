import { useQueries, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pin } from "lucide-react";
import { Suspense, useRef } from "react";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { ago, count, day, exact, figure } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { lazily } from "../../lib/lazily.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Baseline } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { Check } from "../../ui/field/field.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { OuterFrame } from "../account/index.ts";
import { preferencesQuery, useChangePreferences } from "../preferences/index.ts";
import { actingQuery, meQuery, report, type Site, sitesQuery, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { ShutSites } from "./shut-sites.tsx";
import { figuresOf, ordered, type SiteFigures } from "./site-figures.ts";
import styles from "./sites.module.css";
import { t } from "./texts.ts";

const Together = lazily(async () => ({ default: (await import("./together.tsx")).Together }));

/** From so many sites on they can be searched. */
const searchFrom = 9;

/** All sites of the reader, at one glance: how much, how it went, whether it arrives. */
export function SitesScreen() {
	const { data } = useSuspenseQuery(sitesQuery);
	const sites = data.sites.filter(({ is_active: isActive }) => isActive);
	const resting = data.sites.filter(({ is_active: isActive }) => !isActive);
	const add = (
		<Link to="/sites/new" className={buttonClass("primary")}>
			{data.sites.length === 0 ? t.first : t.add}
		</Link>
	);
	const shut = <ShutSites ids={data.ip_filtered_accounts} />;
	if (data.sites.length === 0) {
		return (
			<OuterFrame title={t.title}>
				<div className={styles.empty}>
					{data.ip_filtered_accounts.length === 0 ? <p>{t.none}</p> : shut}
					{add}
				</div>
			</OuterFrame>
		);
	}
	return (
		<OuterFrame title={t.title} actions={add}>
			{sites.length >= searchFrom && <Tools />}
			{sites.length > 1 && <AllTogether sites={sites} />}
			{sites.length > 0 && <SiteGrid sites={sites} />}
			{resting.length > 0 && <RestingSites sites={resting} />}
			{shut}
		</OuterFrame>
	);
}

/** Sites that do not count at the moment, or were deleted: they can be read, and brought back. */
const RestingSites = ({ sites }: { readonly sites: readonly Site[] }) => (
	<section className={styles.resting} aria-labelledby="resting">
		<h2 id="resting">{t.resting}</h2>
		<Items label={t.resting}>
			{sites.map(({ id, name, purge_at: purgeAt }) => (
				<Item
					key={id}
					title={
						<Link to="/sites/$id/settings" params={{ id }}>
							{name}
						</Link>
					}
					facts={purgeAt === null ? t.restingFact : t.deletedFact(day(purgeAt.slice(0, 10), "long"))}
				/>
			))}
		</Items>
	</section>
);

/** The API adds up sites for superadmins alone. */
function AllTogether({ sites }: { readonly sites: readonly Site[] }) {
	const { data: me } = useQuery(meQuery);
	const { view } = useSiteSearch();
	const change = useChangeSearch();
	if (me?.role !== "superadmin") return null;
	const isOn = viewValue(view, "together") !== undefined;
	return (
		<>
			<div className={styles.switch}>
				<Check
					label={t.together}
					checked={isOn}
					onChange={(event) => change({ view: withView(view, "together", event.target.checked ? ["yes"] : []) })}
				/>
			</div>
			{isOn && (
				<Suspense>
					<Together sites={sites} />
				</Suspense>
			)}
		</>
	);
}

function Tools() {
	const search = useSiteSearch();
	const change = useChangeSearch();
	const input = useRef<HTMLInputElement>(null);
	useShortcuts([{ key: "/", label: t.search, run: () => input.current?.focus() }]);
	return (
		<div className={styles.tools}>
			<input
				ref={input}
				type="search"
				aria-label={t.search}
				placeholder={t.search}
				value={search.q ?? ""}
				onChange={(event) => change({ q: event.target.value }, { replace: true })}
			/>
			<select
				aria-label={t.sort}
				value={search.sort === "name" ? "name" : "visits"}
				onChange={(event) => change({ sort: event.target.value === "name" ? "name" : undefined }, { replace: true })}
			>
				<option value="visits">{t.byVisits}</option>
				<option value="name">{t.byName}</option>
			</select>
		</div>
	);
}

function SiteGrid({ sites }: { readonly sites: readonly Site[] }) {
	const { q = "", sort } = useSiteSearch();
	const { data: preferences, isPending } = useQuery(preferencesQuery);
	const overviews = useQueries({ queries: sites.map(({ id }) => overviewOf(id)) });
	// No card moves under the pointer: they are shown once their order is known.
	if (isPending || overviews.some((one) => one.isPending)) return <Skeletons count={Math.min(sites.length, 12)} />;
	const figures = new Map<string, SiteFigures>();
	for (const [at, { id }] of sites.entries()) {
		const found = overviews[at]?.data;
		if (found !== undefined) figures.set(id, figuresOf(found));
	}
	const pinned = preferences?.pinned_sites ?? [];
	const visits = new Map([...figures].map(([id, site]) => [id, site.visits]));
	const wanted = q.trim().toLocaleLowerCase();
	const shown = ordered(sites, sort === "name" ? "name" : "visits", { pinned, visits }).filter((site) =>
		[site.name, site.id, ...site.domains].some((text) => text.toLocaleLowerCase().includes(wanted)),
	);
	if (shown.length === 0) return <p className={styles.empty}>{t.notFound(q)}</p>;
	return (
		<ul className={styles.grid}>
			{shown.map((site) => (
				<li key={site.id}>
					<SiteCard site={site} figures={figures.get(site.id)} pinned={pinned} />
				</li>
			))}
		</ul>
	);
}

/** Thirty days of visits, compared with those before; all sites together leave as one request. */
const overviewOf = (id: string) =>
	report("GET /stats/overview", {
		site_id: id,
		period: "30d",
		compare: "previous",
		compare_align: "elapsed",
		granularity: "daily",
		series: ["entrances"],
	});

const Skeletons = ({ count }: { readonly count: number }) => (
	<div className={styles.grid} data-loading="" role="status" aria-label={t.loading}>
		{Array.from({ length: count }, (_, at) => at).map((at) => (
			<div key={at} className={classes("placeholder", styles.skeleton)} />
		))}
	</div>
);

interface SiteCardProps {
	readonly site: Site;
	/** Undefined when they could not be loaded. */
	readonly figures: SiteFigures | undefined;
	readonly pinned: readonly string[];
}

/** One site: its name leads to the report, and the card says how it fares. */
function SiteCard({ site, figures, pinned }: SiteCardProps) {
	return (
		<article className={styles.card}>
			<header className={styles.head}>
				<h2>
					<Link to="/sites/$id" params={{ id: site.id }} className={styles.name}>
						{site.name}
					</Link>
				</h2>
				<PinButton site={site} pinned={pinned} />
			</header>
			<p className={styles.domain} title={site.domains.join(", ")}>
				{site.domains.join(", ") || t.noDomain}
			</p>
			<div className={styles.chart}>{figures && figures.visits > 0 && <Sparkline values={figures.days} />}</div>
			{figures === undefined ? <p className="muted">{t.failed}</p> : <Figures figures={figures} />}
			<footer className={styles.foot}>
				{figures && (figures.isQuiet ? <Quiet site={site} /> : <Collecting site={site} />)}
			</footer>
		</article>
	);
}

function Figures({ figures: { visits, before, began } }: { readonly figures: SiteFigures }) {
	return (
		<p className={styles.figures}>
			<strong title={exact(visits, "count")}>{figure(visits, "count")}</strong>
			<span className="muted">
				{t.visits}, {t.days}
			</span>
			<span className={styles.change}>
				<Baseline value={began}>
					<Change now={visits} before={before} kind="count" good="up" />
				</Baseline>
			</span>
		</p>
	);
}

/** Hits arrive; how many visits there are now is asked once, when the card is there. */
function Collecting({ site }: { readonly site: Site }) {
	const query = { site_id: site.id };
	const { data } = useQuery({ ...read("GET /stats/live", { query }), staleTime: 10_000 });
	const visits = data?.now.active_visits ?? 0;
	return (
		<>
			<span className={styles.state}>
				<span className={classes(styles.dot, styles.isGood)} aria-hidden="true" />
				{t.collecting}
			</span>
			{visits > 0 && (
				<Link to="/sites/$id/live" params={{ id: site.id }} className={styles.live}>
					{t.now(count(visits))}
				</Link>
			)}
		</>
	);
}

/** Nothing came yesterday and today: since when, or whether anything ever did, is asked of these alone. */
function Quiet({ site }: { readonly site: Site }) {
	const path = { id: site.id };
	const { data } = useQuery(read("GET /sites/{id}/pixel/status", { path }));
	if (data === undefined) return null;
	const last = data.last_hit_at;
	return (
		<>
			<span className={styles.state} title={last === null ? undefined : t.quiet}>
				<span className={classes(styles.dot, last === null ? styles.isNone : styles.isBad)} aria-hidden="true" />
				{last === null ? t.never : t.lastHit(ago(last))}
			</span>
			<Link to="/sites/$id/settings/install" params={{ id: site.id }} className={styles.live}>
				{t.install}
			</Link>
		</>
	);
}

function PinButton({ site, pinned }: { readonly site: Site; readonly pinned: readonly string[] }) {
	const preferences = useChangePreferences();
	const { data: acting } = useQuery(actingQuery);
	// Favourites belong to the user, so they are hidden during impersonation.
	if (acting?.is_impersonating === true) return null;
	const isPinned = pinned.includes(site.id);
	const next = isPinned ? pinned.filter((id) => id !== site.id) : [...pinned, site.id];
	return (
		<button
			type="button"
			className={styles.pin}
			aria-pressed={isPinned}
			aria-label={t.pin(site.name)}
			title={isPinned ? t.unpin(site.name) : t.pin(site.name)}
			onClick={() => preferences.mutate({ pinned_sites: next })}
		>
			<Pin size={16} aria-hidden="true" />
		</button>
	);
}
