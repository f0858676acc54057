import { Info } from "lucide-react";
import { type MouseEvent, useEffect } from "react";
import { classes } from "../../lib/classes.ts";
import { exact, figure } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { Change } from "../../ui/change/change.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { metrics, type SearchChange, useChangeSearch, useSite } from "../site/index.ts";
import { isChartable, type Overview, type TileKey, tileKeys, totalBefore, totalOf } from "./figures.ts";
import styles from "./metric-strip.module.css";
import { type Asked, useAsked, useOverview } from "./use-overview.ts";

/** In place of names that are too long for a small tile. */
type Short = Readonly<Partial<Record<TileKey, string>>>;

const t = texts({
	en: {
		figures: "Key metrics",
		about: (metric: string) => `About “${metric}”`,
		chart: (metric: string) => `Chart: ${metric}`,
		before: (value: string) => `previous: ${value}`,
		short: { conversion_rate: "Conv. rate" } as Short,
		hint: "Shift-click to compare",
	},
	es: {
		figures: "Métricas",
		about: (metric: string) => `Acerca de «${metric}»`,
		chart: (metric: string) => `Gráfico: ${metric}`,
		before: (value: string) => `anterior: ${value}`,
		short: { page_views: "Páginas", conversions: "Conv.", conversion_rate: "Tasa conv." },
		hint: "Mayús + clic para comparar",
	},
});

/** The address after choosing a metric: the first line is replaced, the second one added or taken away. */
function choosing(key: TileKey, asSecond: boolean, { metric, second }: Asked): SearchChange {
	if (!asSecond) return { metric: key, metric2: second === key ? undefined : second };
	return key === metric ? {} : { metric2: second === key ? undefined : key };
}

/** True when the site has revenue, now or when this browser last saw some. */
function useHasRevenue(id: string, hasRevenue: boolean): boolean {
	const name = `revenue ${id}`;
	useEffect(() => {
		if (hasRevenue) remembered(() => localStorage.setItem(name, ""));
	}, [name, hasRevenue]);
	return hasRevenue || typeof remembered(() => localStorage.getItem(name)) === "string";
}

/** A browser may refuse embedded pages its storage. */
function remembered<T>(use: () => T): T | undefined {
	try {
		return use();
	} catch {
		return undefined;
	}
}

/** The tiles of a site: revenue where this browser has seen some, a goal has a value, or the address asks for it. */
function useTiles({ metric, second }: Asked, overview: Overview | undefined): readonly TileKey[] {
	const { id, goals } = useSite();
	const isSold = [overview?.traffic, overview?.traffic_change].some((sums) => sums !== undefined && sums.revenue !== 0);
	const hasRevenue = useHasRevenue(id, isSold);
	const isShown = hasRevenue || [metric, second].includes("revenue") || goals.some(({ amount }) => amount > 0);
	return isShown ? tileKeys : tileKeys.filter((key) => key !== "revenue");
}

/** The totals of the period with their change; one of them is drawn in the chart. */
export function MetricStrip() {
	const asked = useAsked();
	const query = useOverview(asked);
	const change = useChangeSearch();
	const tiles = useTiles(asked, query.data);
	useShortcuts(
		tileKeys.flatMap((key, index) =>
			isChartable(key)
				? [
						{
							key: String(index + 1),
							label: t.chart(metrics[key].label),
							run: () => change(choosing(key, false, asked)),
						},
					]
				: [],
		),
	);
	return (
		<section aria-label={t.figures} className={styles.strip}>
			<Loaded query={query} skeleton={<Skeleton tiles={tiles} />}>
				{(overview) => (
					<ul className={styles.tiles}>
						{tiles.map((key) => (
							<Tile key={key} of={key} overview={overview} asked={asked} />
						))}
					</ul>
				)}
			</Loaded>
		</section>
	);
}

interface TileProps {
	readonly of: TileKey;
	readonly overview: Overview;
	readonly asked: Asked;
}

function Tile({ of: key, overview, asked }: TileProps) {
	const change = useChangeSearch();
	const { label } = metrics[key];
	const isMain = asked.metric === key;
	const isSecond = asked.second === key;
	const choose = (event: MouseEvent) => change(choosing(key, event.shiftKey, asked));
	return (
		<li
			className={classes(
				styles.tile,
				isMain && styles.main,
				isSecond && styles.second,
				!isChartable(key) && styles.fixed,
			)}
		>
			{isChartable(key) ? (
				<button
					type="button"
					className={styles.choose}
					aria-pressed={isMain || isSecond}
					aria-description={t.hint}
					onClick={choose}
				>
					<TileFigures of={key} overview={overview} />
				</button>
			) : (
				<div className={styles.choose}>
					<TileFigures of={key} overview={overview} />
				</div>
			)}
			<button
				type="button"
				className={styles.about}
				aria-label={t.about(label)}
				title={t.about(label)}
				onClick={() => change({ panel: `definition:${key}` })}
			>
				<Info size={14} aria-hidden="true" />
			</button>
		</li>
	);
}

function TileFigures({ of: key, overview }: Omit<TileProps, "asked">) {
	const { currency } = useSite();
	const metric = metrics[key];
	const [now, before] = [totalOf(overview, key), totalBefore(overview, key)];
	const exactly = exact(now, metric.kind, currency);
	const title = before === undefined ? exactly : `${exactly} · ${t.before(exact(before, metric.kind, currency))}`;
	return (
		<>
			<Label of={key} />
			<span className={styles.figure} title={title}>
				{figure(now, metric.kind, currency)}
			</span>
			<span className={styles.change}>
				<Change now={now} before={before} kind={metric.kind} good={metric.good} currency={currency} />
			</span>
		</>
	);
}

const Label = ({ of: key }: Pick<TileProps, "of">) => (
	<span className={styles.label} title={metrics[key].label} data-short={t.short[key]}>
		<span>{metrics[key].label}</span>
	</span>
);

const Skeleton = ({ tiles }: { readonly tiles: readonly TileKey[] }) => (
	<ul className={styles.tiles} aria-hidden="true">
		{tiles.map((key) => (
			<li key={key} className={styles.tile}>
				<div className={styles.choose}>
					<Label of={key} />
					<span className={classes("placeholder", styles.figure)}>&nbsp;</span>
					<span className={styles.change}>&nbsp;</span>
				</div>
			</li>
		))}
	</ul>
);
