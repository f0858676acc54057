import { may } from "../../api/may.ts";
import { Steps } from "../../ui/page/steps.tsx";
import { ScreenHead, useSite, useSiteSearch } from "../site/index.ts";
import { DoctorCard } from "./doctor-card.tsx";
import { DomainsCard } from "./domains-card.tsx";
import styles from "./install.module.css";
import { PageCheckCard } from "./page-check-card.tsx";
import { SnippetCard } from "./snippet-card.tsx";
import { t } from "./texts.ts";
import { useDoctor } from "./use-doctor.ts";

/** The snippet of a site, and whether it works. A new site comes here from its first step. */
export function InstallScreen() {
	const site = useSite();
	const { view } = useSiteSearch();
	const doctor = useDoctor(site);
	const isWorking = doctor.diagnosis?.accepted ?? false;
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			{view.includes("new") && <Steps names={t.steps} current={isWorking ? 3 : 1} />}
			<div className={styles.columns}>
				<div className={styles.column}>
					<SnippetCard site={site} />
					<DomainsCard site={site} />
				</div>
				<div className={styles.column}>
					<DoctorCard site={site} doctor={doctor} />
					{may("POST /sites/{id}/pixel/check", site.role) && <PageCheckCard site={site} />}
				</div>
			</div>
		</div>
	);
}
