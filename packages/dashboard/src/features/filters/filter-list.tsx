import { type ComponentProps, Suspense } from "react";
import { lazily } from "../../lib/lazily.ts";
import styles from "./filter-bar.module.css";

const EditedFilters = lazily(async () => ({ default: (await import("./edited-filters.tsx")).EditedFilters }));

/** Filters that are edited where they stand, one beside the other. */
export const FilterList = (props: ComponentProps<typeof EditedFilters>) => (
	<Suspense fallback={<div className={styles.line} />}>
		<EditedFilters {...props} />
	</Suspense>
);
