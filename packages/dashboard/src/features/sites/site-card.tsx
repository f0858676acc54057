import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Pin } from "lucide-react";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { ago, count, exact, figure } from "../../lib/format.ts";
import { Baseline } from "../../ui/change/baseline.ts";
import { Change } from "../../ui/change/change.tsx";
import { Sparkline } from "../../ui/charts/sparkline.tsx";
import { useChangePreferences } from "../preferences/index.ts";
import type { Site } from "../site/index.ts";
import { actingQuery } from "../site/index.ts";
import type { SiteFigures } from "./site-figures.ts";
import styles from "./sites.module.css";
import { t } from "./texts.ts";

interface SiteCardProps {
	readonly site: Site;
	/** Undefined when they could not be loaded. */
	readonly figures: SiteFigures | undefined;
	readonly pinned: readonly string[];
}

/** One site: its name leads to the report, and the card says how it fares. */
export function SiteCard({ site, figures, pinned }: SiteCardProps) {
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
			{figures === undefined ? <p className={styles.muted}>{t.failed}</p> : <Figures figures={figures} />}
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
			<span className={styles.muted}>
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
