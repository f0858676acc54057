import { ScreenHead } from "../site/index.ts";
import { ExportForm } from "./export-form.tsx";
import styles from "./exports.module.css";
import { JobsCard } from "./jobs-card.tsx";
import { t } from "./texts.ts";

/** Figures and events of a site as files. */
export const ExportsScreen = () => (
	<div className={styles.screen}>
		<ScreenHead title={t.title} />
		<p className={styles.intro}>{t.intro}</p>
		<ExportForm />
		<JobsCard />
	</div>
);
