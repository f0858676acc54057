import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useState } from "react";
import type { Answer } from "../../api/client.ts";
import { call } from "../../api/client.ts";
import { todayIn } from "../../lib/days.ts";
import { ago, count, exact, time } from "../../lib/format.ts";
import { plural, texts } from "../../lib/language.ts";
import { useNear } from "../../lib/use-near.ts";
import { changed, type Site, useSite, useSiteSearch } from "../site/index.ts";
import { botsLeftOut } from "./bots-left-out.ts";
import styles from "./honesty-foot.module.css";
import { minutesOfDay } from "./minutes-of-day.ts";
import { reasonWords } from "./reason-words.ts";
import { useStatus } from "./use-status.ts";

const t = texts({
	en: {
		label: "Data quality",
		last: (ago: string) => `Last data ${ago}`,
		never: "No data yet",
		refused: (n: number, text: string) => `${text} ${plural(n, "hit", "hits")} rejected today`,
		bots: (share: string) => `${share} excluded as bots, last 30 days`,
		suspicious: (share: string) => `${share} look like bots, last 30 days`,
		zone: (zone: string) => `Time zone: ${zone}`,
	},
	es: {
		label: "Calidad de los datos",
		last: (ago: string) => `Último evento ${ago}`,
		never: "Aún no hay eventos",
		refused: (n: number, text: string) => `${text} ${plural(n, "evento rechazado", "eventos rechazados")} hoy`,
		bots: (share: string) => `${share} excluido como bots, últimos 30 días`,
		suspicious: (share: string) => `${share} parecen bots, últimos 30 días`,
		zone: (zone: string) => `Zona horaria: ${zone}`,
	},
});

const everyMinute = 60_000;

/** Rejected hits and the freshness of the figures. */
export function HonestyFoot() {
	const site = useSite();
	const [ref, isNear] = useNear<HTMLElement>();
	return (
		<section ref={ref} className={styles.foot} aria-label={t.label}>
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
