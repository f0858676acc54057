import { ConversionsCard } from "./conversions-card.tsx";
import { EventsCard } from "./events-card.tsx";
import styles from "./goals.module.css";
import { GoalsHead } from "./goals-head.tsx";
import { ProgressCard } from "./progress-card.tsx";

/** Conversions, events and goals. */
export function GoalsScreen() {
	return (
		<>
			<GoalsHead />
			<div className={styles.screen}>
				<ProgressCard />
				<ConversionsCard />
				<EventsCard />
			</div>
		</>
	);
}
