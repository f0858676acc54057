import { Suspense } from "react";
import { WhyChips } from "../why/index.ts";
import styles from "./report-screen.module.css";
import { useAsked } from "./use-overview.ts";

/** The values that explain the change of what the chart shows, in one line. */
export function WhyLine() {
	const { metric, daysBefore } = useAsked();
	if (daysBefore === undefined) return null;
	return (
		<Suspense fallback={<div className={styles.why} />}>
			<WhyChips metric={metric} />
		</Suspense>
	);
}
