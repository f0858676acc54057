import { asFailure } from "../../lib/failure.ts";
import { count, percent } from "../../lib/format.ts";
import { useRested } from "../../lib/use-rested.ts";
import { failureText } from "../../ui/page/failure-text.ts";
import { type Site, useReport } from "../site/index.ts";
import styles from "./manage.module.css";
import { t } from "./manage-texts.ts";
import { isEmpty, type SegmentDraft, writeFilters } from "./segment-draft.ts";

const restMs = 300;

interface LiveCountProps {
	readonly site: Site;
	readonly draft: SegmentDraft;
}

/** How many visits of the last 30 days a segment chooses, saved or not. */
export function LiveCount({ site, draft }: LiveCountProps) {
	const filters = useRested(isEmpty(draft) ? undefined : JSON.stringify(writeFilters(draft)), restMs);
	const asked = { site_id: site.id, period: "30d" } as const;
	const all = useReport("GET /stats/overview", asked);
	const chosen = useReport("GET /stats/overview", {
		...asked,
		...(filters !== undefined && { segment_filters: filters }),
	});
	return (
		<p role="status" className={styles.count} data-loading={chosen.isFetching ? "" : undefined}>
			{chosen.error
				? (asFailure(chosen.error).detail[0]?.message ?? failureText(asFailure(chosen.error)))
				: chosen.data === undefined
					? t.counting
					: figures(chosen.data.traffic.entrances, all.data?.traffic.entrances)}
		</p>
	);
}

function figures(visits: number, all: number | undefined) {
	return (
		<>
			<strong>{t.visits(count(visits), visits)}</strong>
			{all ? <span>{t.share(percent((visits / all) * 100))}</span> : null}
		</>
	);
}
