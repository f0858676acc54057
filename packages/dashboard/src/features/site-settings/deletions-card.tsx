import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { count, day, time } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import type { Site } from "../site/index.ts";
import { type Deletion, deletionsQuery, deletionsRoute, isUnderWay } from "./deletions.ts";
import styles from "./site-settings.module.css";
import { t } from "./texts.ts";

const tones = { pending: "muted", running: "warn", completed: "good", failed: "bad" } as const;

/** Deletions of the site and their progress. */
export function DeletionsCard({ site }: { readonly site: Site }) {
	const query = useQuery(deletionsQuery(site.id));
	useFreshReports(query.data?.deletions.filter(isUnderWay).length);
	return (
		<Card title={t.deletions}>
			<Loaded query={query}>
				{({ deletions }) =>
					deletions.length === 0 ? (
						<p className={styles.hint}>{t.none}</p>
					) : (
						<Items label={t.deletions}>
							{deletions.map((deletion) => (
								<One key={deletion.id} deletion={deletion} />
							))}
						</Items>
					)
				}
			</Loaded>
		</Card>
	);
}

function One({ deletion }: { readonly deletion: Deletion }) {
	const { status, step, progress_percent: progress, deleted_rows: rows } = deletion;
	const facts = [t.asked(time(deletion.created_at)), ...(rows === null ? [] : [t.rows(count(rows))])].join(" · ");
	return (
		<Item title={titleOf(deletion)} facts={facts} state={{ text: t.status[status], tone: tones[status] }}>
			{isUnderWay(deletion) && (
				<>
					<progress className={styles.progress} max={100} value={progress} aria-label={t.progress} />
					<p className={styles.step}>{t.steps[step]}</p>
				</>
			)}
			{deletion.error_message !== null && <p className={styles.step}>{deletion.error_message}</p>}
		</Item>
	);
}

function titleOf({ from, to }: Deletion): string {
	if (from === null) return to === null ? t.all : t.until(day(to, "long"));
	return to === null ? t.since(day(from, "long")) : t.days(day(from, "long"), day(to, "long"));
}

/** When something has been deleted, no figure is what it was. */
function useFreshReports(underWay: number | undefined): void {
	const queries = useQueryClient();
	const before = useRef(underWay);
	// The answers that are kept are outside of React.
	useEffect(() => {
		if (underWay !== undefined && underWay < (before.current ?? 0)) {
			void queries.invalidateQueries({ predicate: ({ queryKey }) => queryKey[0] !== deletionsRoute });
		}
		before.current = underWay;
	}, [underWay, queries]);
}
