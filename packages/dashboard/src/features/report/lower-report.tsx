import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type ComponentProps, Suspense, useEffect, useState } from "react";
import { type Answer, call } from "../../api/client.ts";
import { isShared } from "../../api/shared.ts";
import { todayIn } from "../../lib/days.ts";
import { ago, count, exact, time } from "../../lib/format.ts";
import { useShortcuts } from "../../lib/keys.ts";
import { plural, texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { useNear } from "../../lib/use-near.ts";
import { InsightsStrip } from "../insights/index.ts";
import { changed, isHidden, mayShow, type Site, useChangeSearch, useSite, useSiteSearch } from "../site/index.ts";
import { botsLeftOut } from "./bots-left-out.ts";
import footStyles from "./honesty-foot.module.css";
import { hoursTitle } from "./hours-words.ts";
import { ListCard, type ListCardProps } from "./list-card.tsx";
import styles from "./list-cards.module.css";
import { minutesOfDay } from "./minutes-of-day.ts";
import { reasonWords } from "./reason-words.ts";
import { sharedNameOf } from "./shared-name.ts";
import { useStatus } from "./use-overview.ts";

const everyMinute = 60_000;

/** Rejected hits and the freshness of the figures. */
function HonestyFoot() {
	const site = useSite();
	const [ref, isNear] = useNear<HTMLElement>();
	return (
		<section ref={ref} className={footStyles.foot} aria-label={t.label}>
			{isNear && <Facts site={site} />}
			<span>{t.zone(site.timezone)}</span>
		</section>
	);
}

function Facts({ site }: { readonly site: Site }) {
	const kept = changed(useSiteSearch(), { panel: undefined, sort: undefined, q: undefined, page: undefined });
	const refused = useQuery({
		queryKey: ["GET /sites/{id}/pixel/rejections", site.id, todayIn(site.timezone)],
		queryFn: ({ signal }) =>
			call("GET /sites/{id}/pixel/rejections", {
				path: { id: site.id },
				query: { minutes: minutesOfDay(site.timezone) },
				signal,
			}),
		refetchInterval: everyMinute,
	});
	const bots = useQuery({
		queryKey: ["GET /bot-stats/overview", site.id],
		queryFn: ({ signal }) => call("GET /bot-stats/overview", { query: { account_id: site.id }, signal }),
		staleTime: 600_000,
	});
	const params = { id: site.id };
	return (
		<>
			<LastHit site={site} />
			{refused.data?.available && (
				<Link to="/sites/$id/settings/install" params={params} search={kept}>
					{refusedWords(refused.data)}
				</Link>
			)}
			{bots.data && bots.data.distribution.total_hits > 0 && (
				<Link to="/sites/$id/bots" params={params} search={kept}>
					{botWords(bots.data, site.bot_threshold)}
				</Link>
			)}
		</>
	);
}

function LastHit({ site }: { readonly site: Site }) {
	const { data } = useStatus(site.id);
	const [, setTick] = useState(0);
	// Time passes without React.
	useEffect(() => {
		const timer = setInterval(() => setTick((tick) => tick + 1), 10_000);
		return () => clearInterval(timer);
	}, []);
	if (data === undefined) return null;
	if (data.last_hit_at === null) return <span>{t.never}</span>;
	return (
		<time dateTime={data.last_hit_at} title={time(data.last_hit_at)}>
			{t.last(ago(data.last_hit_at))}
		</time>
	);
}

/** Amounts that could not be read are a warning of the site; their hits are accepted. */
function refusedWords({ rejected, reasons }: Answer<"GET /sites/{id}/pixel/rejections">): string {
	const all = t.refused(rejected, count(rejected));
	const named = reasons.filter(({ counted }) => !counted).slice(0, 2);
	const most = named.map((reason) => `${count(reason.count)} ${reasonWords(reason.reason)}`);
	return most.length === 0 ? all : `${all} (${most.join(", ")})`;
}

function botWords({ distribution }: Answer<"GET /bot-stats/overview">, threshold: number): string {
	const left = botsLeftOut(distribution, threshold);
	return left === undefined
		? t.suspicious(exact(distribution.suspicious_percentage, "rate"))
		: t.bots(exact(left, "rate"));
}

/** Everything below the chart, in a chunk of its own, so that the first figures do not wait for it. */
export const LowerReport = () => (
	<>
		{!isShared && <InsightsStrip />}
		<ListCards />
		{!isShared && <HonestyFoot />}
	</>
);

const HoursCard = lazily(async () => ({ default: (await import("./hours-card.tsx")).HoursCard }));
const WorldMap = lazily(async () => ({ default: (await import("./world-map.tsx")).WorldMap }));

const t = texts({
	en: {
		from: "Sources",
		pages: "Pages",
		where: "Locations",
		map: "Map",
		devices: "Devices",
		goals: "Goals",
		search: "Search the current list",
		label: "Data quality",
		last: (ago: string) => `Last data ${ago}`,
		never: "No data yet",
		refused: (n: number, text: string) => `${text} ${plural(n, "hit", "hits")} rejected today`,
		bots: (share: string) => `${share} excluded as bots, last 30 days`,
		suspicious: (share: string) => `${share} look like bots, last 30 days`,
		zone: (zone: string) => `Time zone: ${zone}`,
	},
	es: {
		from: "Fuentes",
		pages: "Páginas",
		where: "Ubicaciones",
		map: "Mapa",
		devices: "Dispositivos",
		goals: "Objetivos",
		search: "Buscar en la lista actual",
		label: "Calidad de los datos",
		last: (ago: string) => `Último evento ${ago}`,
		never: "Aún no hay eventos",
		refused: (n: number, text: string) => `${text} ${plural(n, "evento rechazado", "eventos rechazados")} hoy`,
		bots: (share: string) => `${share} excluido como bots, últimos 30 días`,
		suspicious: (share: string) => `${share} parecen bots, últimos 30 días`,
		zone: (zone: string) => `Zona horaria: ${zone}`,
	},
});

/** Where visits come from, what they see, where they are, what they use. */
function ListCards() {
	const change = useChangeSearch();
	useShortcuts([
		{
			key: "/",
			label: t.search,
			run: () => change({ panel: listAtHand(), sort: undefined, q: undefined, page: undefined }),
		},
	]);
	return (
		<div className={styles.cards}>
			<Lists
				label={t.from}
				tabs={["channels", "sources", "mediums", "referrers", "campaigns"]}
				rare={["terms", "contents"]}
			/>
			<Lists label={t.pages} tabs={["pages", "landing-pages", "exit-pages", "content-groups"]} />
			<Lists
				label={t.where}
				tabs={["countries"]}
				picture={
					isHidden("map")
						? undefined
						: {
								label: t.map,
								of: "countries",
								draw: (list, column) => <MapWhenSeen list={list} column={column} />,
							}
				}
			/>
			<Lists label={t.devices} tabs={["devices", "browsers", "systems"]} />
			<Lists label={t.goals} tabs={["conversions", "microconversions", "properties"]} />
			{mayShow("hours") && <HoursWhenNear />}
		</div>
	);
}

/** Its shapes are a third of the report's scripts: they are loaded for a reader who gets that far. */
function MapWhenSeen(props: ComponentProps<typeof WorldMap>) {
	const [ref, isSeen] = useNear<HTMLDivElement>(0);
	return (
		<div ref={ref} className={styles.map}>
			{isSeen && (
				<Suspense>
					<WorldMap {...props} />
				</Suspense>
			)}
		</div>
	);
}

/** Loaded when it comes near the viewport, so that it does not compete with visible parts. */
function HoursWhenNear() {
	const [ref, isNear] = useNear<HTMLDivElement>();
	return (
		<div ref={ref} className={styles.later}>
			{isNear ? (
				<Suspense>
					<HoursCard />
				</Suspense>
			) : (
				<section aria-label={hoursTitle} />
			)}
		</div>
	);
}

/** The list of the card that has the focus; else the first one of the screen. */
function listAtHand(): string | undefined {
	const card = document.activeElement?.closest("section");
	const body = card?.querySelector<HTMLElement>("[data-list]") ?? document.querySelector<HTMLElement>("[data-list]");
	return body?.dataset["list"];
}

/** A card with those of its lists that may be seen; none without any. */
function Lists({ tabs, ...card }: ListCardProps) {
	const shown = tabs.filter((key) => mayShow(sharedNameOf(key)));
	return shown.length > 0 && <ListCard {...card} tabs={shown} />;
}
