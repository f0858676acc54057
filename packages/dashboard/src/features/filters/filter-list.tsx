import { type ComponentProps, lazy, Suspense } from "react";
import styles from "./filter-bar.module.css";

const EditedFilters = lazy(async () => ({ default: (await import("./edited-filters.tsx")).EditedFilters }));

/** Filters that are edited where they stand, one beside the other. */
export const FilterList = (props: ComponentProps<typeof EditedFilters>) => (
	<Suspense fallback={<div className={styles.line} />}>
		<EditedFilters {...props} />
	</Suspense>
);
