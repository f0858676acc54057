import { useQuery } from "@tanstack/react-query";
import { may } from "../../api/may.ts";
import { ScreenHead, useSite } from "../site/index.ts";
import styles from "./imports.module.css";
import { ImportsCard } from "./imports-card.tsx";
import { MigrationCard } from "./migration-card.tsx";
import { NewImport } from "./new-import.tsx";
import { configQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** Imports from other tools, and the migration from an older service where one is configured. */
export function ImportsScreen() {
	const site = useSite();
	const mayImport = may("POST /imports", site.role);
	const { data: config } = useQuery(configQuery);
	return (
		<div className={styles.screen}>
			<ScreenHead title={t.title} />
			<p className={styles.intro}>{t.intro}</p>
			{mayImport && <NewImport />}
			<ImportsCard />
			{mayImport && config?.features.includes("migration") && <MigrationCard />}
		</div>
	);
}
