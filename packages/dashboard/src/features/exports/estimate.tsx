import { keepPreviousData, useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { Answer } from "../../api/client.ts";
import { count, exact } from "../../lib/format.ts";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { useSite } from "../site/index.ts";
import type { ExportInput } from "./export-input.ts";
import styles from "./exports.module.css";
import { estimateQuery } from "./queries.ts";
import { t } from "./texts.ts";

interface EstimateProps {
	readonly input: ExportInput;
	/** The ways to get the file; a small one can be had at once. */
	readonly children: (isSmall: boolean) => ReactNode;
}

/** Estimated size of the file, and the ways to get it. */
export function Estimate({ input, children }: EstimateProps) {
	const site = useSite();
	const isWhole = input.date_from !== "" && input.date_to !== "";
	const isInOrder = input.date_from <= input.date_to;
	const query = useQuery({
		...estimateQuery(site.id, isWhole && isInOrder ? input : undefined),
		placeholderData: keepPreviousData,
	});
	if (isWhole && !isInOrder) return <p className={styles.fault}>{t.wrongDays}</p>;
	return (
		<div className={styles.estimate}>
			<Loaded query={query} skeleton={<p className={styles.words}>{t.counting}</p>}>
				{(estimate) => (
					<>
						<p className={styles.words} role="status">
							{wordsOf(estimate)}
						</p>
						{estimate.estimated_rows > 0 && (
							<div className={styles.actions}>{children(!estimate.will_use_background_job)}</div>
						)}
					</>
				)}
			</Loaded>
		</div>
	);
}

function wordsOf(estimate: Answer<"POST /exports/estimate">): string {
	const rows = estimate.estimated_rows;
	if (rows === 0) return t.nothing;
	const said = t.rows(rows, count(rows), estimate.estimated_size_human);
	const way = estimate.will_use_background_job
		? t.large(exact(estimate.estimated_duration_seconds, "duration"))
		: t.small;
	return `${said} ${way}`;
}
