import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { may } from "../../api/may.ts";
import { Card } from "../../ui/card/card.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { ImportRow } from "./import-row.tsx";
import styles from "./imports.module.css";
import { MigrationCard } from "./migration-card.tsx";
import { NewImport } from "./new-import.tsx";
import { configQuery, type Import, importsQuery } from "./queries.ts";
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

/** Imports of a site. */
function ImportsCard() {
	const site = useSite();
	const query = useQuery(importsQuery(site.id));
	useFreshReports(query.data?.imports);
	const mayImport = may("POST /imports", site.role);
	return (
		<Card title={t.list}>
			<LoadedItems
				label={t.list}
				query={query}
				of={({ imports }) => imports}
				empty={<p>{mayImport ? t.none : t.noneForReaders}</p>}
			>
				{(one) => <ImportRow key={one.import_id} one={one} />}
			</LoadedItems>
		</Card>
	);
}

/** When rows have come or gone, no figure is what it was. */
function useFreshReports(imports: readonly Import[] | undefined): void {
	const queries = useQueryClient();
	const state = imports?.filter(({ status }) => status === "completed").map(({ import_id }) => import_id);
	const now = state?.join(" ");
	const before = useRef(now);
	// The answers that are kept are outside of React.
	useEffect(() => {
		if (now !== undefined && before.current !== undefined && now !== before.current) {
			void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== "GET /imports" });
		}
		before.current = now;
	}, [now, queries]);
}
