import { Maximize, Monitor, Pause, Play, Smartphone, Star, Tablet } from "lucide-react";
import { Suspense, useEffect, useState } from "react";
import { classes } from "../../lib/classes.ts";
import { clock, count, exact } from "../../lib/format.ts";
import { lazily } from "../../lib/lazily.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Cut } from "../../ui/cut/cut.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { useSite, valueName } from "../site/index.ts";
import styles from "./live.module.css";
import { LiveList } from "./live-list.tsx";
import type { LiveState, NumberedHit } from "./live-state.ts";
import { MinutesChart } from "./minutes-chart.tsx";
import { listsOf } from "./rows.ts";
import { t } from "./texts.ts";
import { useLive, useLiveChoice, useLiveFigures } from "./use-live.ts";

const Wall = lazily(() => import("./wall.tsx").then((part) => ({ default: part.Wall })));

/** Live activity of a site, at most two seconds old. */
export function LiveScreen() {
	const site = useSite();
	const choice = useLiveChoice();
	const live = useLive(choice);
	const [held, setHeld] = useState<LiveState>();
	const [isWall, setIsWall] = useState(false);
	const state = held ?? live;
	const query = useLiveFigures(choice, live.words, held !== undefined);
	return (
		<div className="stack-12">
			<header className="row-centered">
				<h1 className="visually-hidden">{t.title}</h1>
				<Connection state={live} timeZone={site.timezone} />
				{held && (
					<span role="status" className="muted">
						{t.paused(newer(live, held))}
					</span>
				)}
				<Button aria-pressed={held !== undefined} onClick={() => setHeld(held ? undefined : live)}>
					{held ? <Play size={16} aria-hidden="true" /> : <Pause size={16} aria-hidden="true" />}
					{held ? t.goOn : t.pause}
				</Button>
				<Button onClick={() => setIsWall(true)}>
					<Maximize size={16} aria-hidden="true" /> {t.wall}
				</Button>
			</header>
			<Loaded query={query} skeleton={<div className={classes("placeholder", styles.skeleton)} />}>
				{(figures) => (
					<div className={styles.figures}>
						<Card className={styles.pulse} label={t.visitsNow}>
							<p className={styles.now}>
								<strong data-figure="">{count(state.active ?? figures.now.active_visits)}</strong>
								<span>{t.visitsNow}</span>
								<span className="caption">{t.within(figures.now.window_minutes)}</span>
							</p>
							<MinutesChart minutes={figures.minutes} />
						</Card>
						<div className={styles.lists}>
							{listsOf(figures).map((list) => (
								<LiveList key={list.title} {...list} />
							))}
						</div>
						<HitStream state={state} currency={site.currency} timeZone={site.timezone} />
					</div>
				)}
			</Loaded>
			<Suspense>{isWall && <Wall choice={choice} onLeave={() => setIsWall(false)} />}</Suspense>
		</div>
	);
}

/** How many hits came since it was held. */
function newer({ hits }: LiveState, held: LiveState): number {
	const last = Math.max(0, ...held.hits.map(({ number }) => number));
	return hits.filter(({ number }) => number > last).length;
}

interface ConnectionProps {
	readonly state: LiveState;
	readonly timeZone: string;
}

/** Whether what one sees is of now, and if not, of when. */
function Connection({ state: { connection, retryAt, heardAt }, timeZone }: ConnectionProps) {
	const seconds = useSecondsUntil(retryAt);
	const words = connection === "waiting" ? t.waiting(seconds) : t[connection];
	const old = connection !== "connected" && heardAt !== undefined && t.of(clock(new Date(heardAt), timeZone, "second"));
	return (
		<p className={styles.connection}>
			<span className={classes(styles.dot, connection === "connected" && styles.isLive)} aria-hidden="true" />
			{/* A count-down is not read out, but what it counts down to is. */}
			<span role="status" className="visually-hidden">
				{connection === "waiting" ? t.connecting : t[connection]}
			</span>
			<span aria-hidden="true">{[words, old].filter(Boolean).join(", ")}</span>
		</p>
	);
}

function useSecondsUntil(moment: number | undefined): number {
	const [now, setNow] = useState(() => Date.now());
	// A clock is outside of React.
	useEffect(() => {
		if (moment === undefined) return;
		const timer = setInterval(() => setNow(Date.now()), 500);
		return () => clearInterval(timer);
	}, [moment]);
	return Math.max(0, Math.ceil(((moment ?? now) - now) / 1_000));
}

interface HitStreamProps {
	readonly state: LiveState;
	readonly currency: string;
	readonly timeZone: string;
}

/** Hits as they come, the newest on top. */
function HitStream({ state: { hits, skipped }, currency, timeZone }: HitStreamProps) {
	return (
		<section className={`${styles.part} ${styles.stream}`} aria-label={t.stream}>
			<h2>{t.stream}</h2>
			{hits.length === 0 ? (
				<p className="muted">{t.noHits}</p>
			) : (
				<Scroller className={styles.hits}>
					<ol>
						{hits.map((hit) => (
							<Hit key={hit.number} hit={hit} currency={currency} timeZone={timeZone} />
						))}
					</ol>
				</Scroller>
			)}
			{skipped > 0 && <p className="muted">{t.skipped(skipped)}</p>}
		</section>
	);
}

const icons = { desktop: Monitor, mobile: Smartphone, tablet: Tablet } as const;

interface HitProps {
	readonly hit: NumberedHit;
	readonly currency: string;
	readonly timeZone: string;
}

function Hit({ hit, currency, timeZone }: HitProps) {
	const Icon = icons[hit.device as keyof typeof icons] ?? Monitor;
	const place = valueName("country", hit.country);
	return (
		<li>
			<time dateTime={hit.at}>{clock(hit.at, timeZone, "second")}</time>
			<Icon size={14} role="img" aria-label={valueName("device_type", hit.device)} />
			{hit.kind === "pageview" ? <Cut text={valueName("path", hit.path)} /> : <Event hit={hit} currency={currency} />}
			<span className={styles.place} title={`${place} · ${valueName("utm_source", hit.source)}`}>
				{hit.country.length === 2 ? hit.country : ""}
			</span>
		</li>
	);
}

function Event({ hit, currency }: Pick<HitProps, "hit" | "currency">) {
	const page = valueName("path", hit.path);
	return (
		<span className={styles.name} title={page}>
			<Star size={12} className={styles.star} aria-hidden="true" /> <strong>{hit.event_type}</strong>
			{hit.kind === "conversion" && hit.amount !== undefined && hit.amount !== 0 && (
				<> {exact(hit.amount, "money", currency)}</>
			)}{" "}
			<span className="muted">{page}</span>
		</span>
	);
}
