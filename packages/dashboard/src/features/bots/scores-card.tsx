import { SlidersHorizontal } from "lucide-react";
import { useState } from "react";
import type { Answer } from "../../api/client.ts";
import { may } from "../../api/may.ts";
import { count, exact, figure } from "../../lib/format.ts";
import { Button } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Histogram } from "../../ui/charts/histogram.tsx";
import { Dialog } from "../../ui/dialog/dialog.tsx";
import { useSite } from "../site/index.ts";
import styles from "./bots.module.css";
import { scoreColumns, thresholdAt } from "./scores.ts";
import { t } from "./texts.ts";
import { ThresholdEditor } from "./threshold-editor.tsx";

type Distribution = Answer<"GET /bot-stats/overview">["distribution"];

/** How suspicious hits are, and which of them the threshold leaves out. */
export function ScoresCard({ distribution }: { readonly distribution: Distribution }) {
	const site = useSite();
	const threshold = site.bot_threshold;
	const [isOpen, setOpen] = useState(false);
	return (
		<Card
			title={t.scores}
			label={t.scores}
			actions={
				may("PATCH /sites/{id}", site.role) && (
					<Button small onClick={() => setOpen(true)}>
						<SlidersHorizontal size={16} aria-hidden="true" /> {t.change}
					</Button>
				)
			}
		>
			{distribution.total_hits === 0 ? (
				<p className={styles.about}>{t.empty}</p>
			) : (
				<>
					<p>
						{t.summary(exact(distribution.suspicious_percentage, "rate"), count(distribution.total_hits), threshold)}
					</p>
					<Scores distribution={distribution} threshold={threshold} />
					<p className={styles.about}>
						{t.about} {t.logarithm}
					</p>
				</>
			)}
			{isOpen && (
				<Dialog title={t.change} onClose={() => setOpen(false)}>
					<ThresholdEditor onDone={() => setOpen(false)} />
				</Dialog>
			)}
		</Card>
	);
}

const Scores = ({ distribution, threshold }: { readonly distribution: Distribution; readonly threshold: number }) => (
	<Histogram
		label={t.chart}
		line={{ at: thresholdAt(threshold), label: t.lineAt(threshold) }}
		columns={scoreColumns(distribution, threshold).map(({ from, to, count: hits, height, isLeftOut, width }) => ({
			key: String(from),
			label: from === to ? String(from) : `${from}–${to}`,
			height,
			marked: isLeftOut ? 1 : 0,
			width,
			figure: figure(hits, "count"),
			title: t.column(from, to, count(hits), isLeftOut),
		}))}
	/>
);
