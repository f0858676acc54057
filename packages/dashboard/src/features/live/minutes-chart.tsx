import type { Answer } from "../../api/client.ts";
import { clock, count } from "../../lib/format.ts";
import styles from "./live.module.css";
import { t } from "./texts.ts";

type Minutes = Answer<"GET /stats/live">["minutes"];

/** Page views of the last thirty minutes, a bar a minute; the last one still grows. */
export function MinutesChart({ minutes }: { readonly minutes: Minutes }) {
	const views = minutes.map(({ page_views }) => page_views);
	const most = Math.max(1, ...views);
	const total = views.reduce((sum, value) => sum + value, 0);
	return (
		<figure className={styles.minutes}>
			<div className={styles.bars} role="img" aria-label={t.summary(count(total), count(Math.max(0, ...views)))}>
				{minutes.map(({ at, page_views: value }) => (
					<span key={at} title={t.minute(clock(at), count(value))}>
						<span style={{ blockSize: `${(value / most) * 100}%` }} />
					</span>
				))}
			</div>
			<figcaption>
				<span>{t.byMinute}</span>
				<strong data-figure="">{count(total)}</strong>
			</figcaption>
		</figure>
	);
}
