import { type UseQueryResult, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asFailure } from "../../lib/failure.ts";
import { count } from "../../lib/format.ts";
import { useRested } from "../../lib/use-rested.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { failureText } from "../../ui/page/failure-text.ts";
import { type Site, valueName } from "../site/index.ts";
import styles from "./channels.module.css";
import { type Move, sourcesOf, type Touch } from "./moves.ts";
import { t } from "./texts.ts";
import { type Tried, touchesQuery, trialQuery } from "./trial.ts";

const restMs = 300;
/** Sources that are named of each move. */
const named = 4;

interface LaboratoryProps {
	readonly site: Site;
	/** The previewed rule; undefined while it is incomplete. */
	readonly rule: Tried | undefined;
	/** True for a rule that is live as it was before. */
	readonly isLive: boolean;
}

/** Effect of a rule on the visits of the last 30 days. */
export function Laboratory({ site, rule, isLive }: LaboratoryProps) {
	const touches = useQuery(touchesQuery(site));
	return (
		<section aria-label={t.laboratory} className={styles.laboratory}>
			<h3>{t.laboratory}</h3>
			<Loaded query={touches} skeleton={<p className={styles.hint}>{t.counting}</p>}>
				{({ touches: known, leftOut }) => (
					<>
						{known.length === 0 ? (
							<p className={styles.hint}>{t.noVisits}</p>
						) : rule === undefined ? (
							<p className={styles.hint}>{t.nothingToTry}</p>
						) : (
							<Trial site={site} touches={known} rule={rule} />
						)}
						{isLive && <p className={styles.hint}>{t.againstItself}</p>}
						{leftOut > 0 && <p className={styles.hint}>{t.leftOut(count(known.length))}</p>}
					</>
				)}
			</Loaded>
		</section>
	);
}

interface TrialProps {
	readonly site: Site;
	readonly touches: readonly Touch[];
	readonly rule: Tried;
}

function Trial({ site, touches, rule }: TrialProps) {
	// The rule is a new object at each key press, so its text is debounced.
	const rested = useRested(JSON.stringify(rule), restMs);
	const query = useQuery(trialQuery(site.id, touches, JSON.parse(rested) as Tried));
	return <div role="status">{outcomeOf(query)}</div>;
}

function outcomeOf({ data, error }: UseQueryResult<readonly Move[], Error>): ReactNode {
	if (error) {
		const failure = asFailure(error);
		return <p className={styles.fault}>{failure.detail[0]?.message ?? failureText(failure)}</p>;
	}
	if (data === undefined) return <p className={styles.hint}>{t.counting}</p>;
	if (data.length === 0) return <p>{t.movesNothing}</p>;
	return (
		<>
			<ul className={styles.moves}>
				{data.map((move) => (
					<li key={`${move.from} ${move.to}`}>
						<p>{t.moves(count(move.visits), move.visits, channelName(move.from), channelName(move.to))}</p>
						<p className={styles.hint}>{sourceWords(move.touches)}</p>
					</li>
				))}
			</ul>
			<p className={styles.hint}>{t.fromNow}</p>
		</>
	);
}

const channelName = (name: string): string => valueName("channel_group", name);

function sourceWords(touches: readonly Touch[]): string {
	const sources = sourcesOf(touches);
	const shown = sources
		.slice(0, named)
		.map(({ source, medium, visits }) => `${source} / ${medium} (${count(visits)})`)
		.join(", ");
	return sources.length > named ? t.andMore(shown, sources.length - named) : shown;
}
