import { useQuery } from "@tanstack/react-query";
import { read } from "../../api/read.ts";
import { classes } from "../../lib/classes.ts";
import { ago, count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./alerts.module.css";
import { HistoryCard } from "./history-card.tsx";
import { RulesCard } from "./rules-card.tsx";
import { t } from "./screen-texts.ts";

/** Rules, alerts and recipients. */
export function AlertsScreen() {
	return (
		<>
			<ScreenHead title={t.title} />
			<div className={styles.screen}>
				<p className={styles.about}>{t.about}</p>
				<AlertFigures />
				<RulesCard />
				<HistoryCard />
			</div>
		</>
	);
}

/** How much the rules of the site found. */
function AlertFigures() {
	const query = { account_id: useSite().id };
	const stats = useQuery(read("GET /alerts/stats", { query }));
	return (
		<Card label={t.figures}>
			<Loaded query={stats} skeleton={<div className={classes("placeholder", styles.figuresSkeleton)} />}>
				{(data) => (
					<dl className={styles.figures}>
						<Figure name={t.active} value={count(data.active_rules)} />
						<Figure
							name={t.fired}
							value={`${count(data.total_triggers_24h)} · ${count(data.total_triggers_7d)} · ${count(data.total_triggers_30d)}`}
							note={`${t.in24h} · ${t.in7d} · ${t.in30d}`}
						/>
						<Figure name={t.unseen} value={count(data.unacknowledged_alerts)} />
						<Figure
							name={t.last}
							value={data.last_trigger === null ? t.never : ago(data.last_trigger)}
							note={data.most_triggered_rule === null ? undefined : `${t.most}: ${data.most_triggered_rule}`}
						/>
					</dl>
				)}
			</Loaded>
		</Card>
	);
}

interface FigureProps {
	readonly name: string;
	readonly value: string;
	readonly note?: string | undefined;
}

const Figure = ({ name, value, note }: FigureProps) => (
	<div className={styles.figure}>
		<dt>{name}</dt>
		<dd>{value}</dd>
		{note && <dd className={styles.hint}>{note}</dd>}
	</div>
);
