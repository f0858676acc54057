import { may } from "../../api/may.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import { DeletionsCard } from "./deletions-card.tsx";
import { EraseCard } from "./erase-card.tsx";
import { RetentionCard } from "./retention-card.tsx";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";

/** How long what was counted is kept, and how it is deleted. */
export function KeepingScreen() {
	const site = useSite();
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.keeping} />
			<div className={styles.cards}>
				<RetentionCard site={site} />
				{may("DELETE /sites/{id}/data", site.role) && <EraseCard site={site} />}
				{may("PATCH /sites/{id}", site.role) && <DeletionsCard site={site} />}
			</div>
		</div>
	);
}
