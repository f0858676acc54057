import { useQueries, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Suspense, useRef } from "react";
import { classes } from "../../lib/classes.ts";
import { day } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { lazily } from "../../lib/lazily.ts";
import { viewValue, withView } from "../../lib/view.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Check } from "../../ui/field/field.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { OuterFrame } from "../account/index.ts";
import { preferencesQuery } from "../preferences/index.ts";
import { meQuery, report, type Site, sitesQuery, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { ShutSites } from "./shut-sites.tsx";
import { SiteCard } from "./site-card.tsx";
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
