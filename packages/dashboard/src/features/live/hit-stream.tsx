import { Monitor, Smartphone, Star, Tablet } from "lucide-react";
import { clock, exact } from "../../lib/format.ts";
import { Cut } from "../../ui/cut/cut.tsx";
import { Scroller } from "../../ui/scroller/scroller.tsx";
import { valueName } from "../site/index.ts";
import styles from "./live.module.css";
import type { LiveState, NumberedHit } from "./live-state.ts";
import { t } from "./texts.ts";

interface HitStreamProps {
	readonly state: LiveState;
	readonly currency: string;
	readonly timeZone: string;
}

/** Hits as they come, the newest on top. */
export function HitStream({ state: { hits, skipped }, currency, timeZone }: HitStreamProps) {
	return (
		<section className={`${styles.part} ${styles.stream}`} aria-label={t.stream}>
			<h2>{t.stream}</h2>
			{hits.length === 0 ? (
				<p className={styles.none}>{t.noHits}</p>
			) : (
				<Scroller className={styles.hits}>
					<ol>
						{hits.map((hit) => (
							<Hit key={hit.number} hit={hit} currency={currency} timeZone={timeZone} />
						))}
					</ol>
				</Scroller>
			)}
			{skipped > 0 && <p className={styles.none}>{t.skipped(skipped)}</p>}
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
			<span className={styles.none}>{page}</span>
		</span>
	);
}
