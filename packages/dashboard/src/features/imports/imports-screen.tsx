import { may } from "../../api/may.ts";
import { useConfig } from "../auth/index.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { ImportsCard } from "./imports-card.tsx";
import { MigrationCard } from "./migration-card.tsx";
import { NewImport } from "./new-import.tsx";
import { t } from "./texts.ts";

/** What a site was measured by before: files of other tools, and an older service where there is one. */
export function ImportsScreen() {
	const site = useSite();
	const mayImport = may("POST /imports", site.role);
	const hasOlder = useConfig()?.features.includes("migration") ?? false;
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			{mayImport && <NewImport />}
			<ImportsCard />
			{mayImport && hasOlder && <MigrationCard />}
		</div>
	);
}
