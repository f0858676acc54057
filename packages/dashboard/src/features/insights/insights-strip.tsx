import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { Button } from "../../ui/button/button.tsx";
import { Items, State } from "../../ui/items/items.tsx";
import { useSite } from "../site/index.ts";
import { InsightItem } from "./insight-item.tsx";
import styles from "./insights.module.css";
import { t } from "./texts.ts";
import { insightsQuery } from "./use-insights.ts";

const MOST = 3;
const tones = { red: "bad", yellow: "warn", green: "good" } as const;

/** The worst unread insights in one line, which opens; nothing where there are none, or they cannot be had. */
export function InsightsStrip() {
	const site = useSite();
	const [isOpen, setOpen] = useState(false);
	const { data } = useQuery(insightsQuery(site.id, { unread: true }));
	const worst = data?.insights.slice(0, MOST) ?? [];
	const [first] = worst;
	if (first === undefined) return null;
	return (
		<section aria-label={t.strip} className={styles.strip}>
			<div className={styles.line}>
				<State text={t.severities[first.severity]} tone={tones[first.severity]} />
				<strong className={styles.worst}>{first.title}</strong>
				{data && data.total > 1 && <span className={styles.rest}>+{data.total - 1}</span>}
				<Button small look="quiet" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
					{isOpen ? t.close : t.open}
				</Button>
				<Link to="/sites/$id/insights" params={{ id: site.id }} className={styles.all}>
					{t.more}
				</Link>
			</div>
			{isOpen && (
				<Items label={t.strip}>
					{worst.map((insight) => (
						<InsightItem key={insight.id} insight={insight} />
					))}
				</Items>
			)}
		</section>
	);
}
