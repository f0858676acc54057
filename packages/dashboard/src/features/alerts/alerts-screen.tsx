import { ScreenHead } from "../site/index.ts";
import { AlertFigures } from "./alert-figures.tsx";
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
