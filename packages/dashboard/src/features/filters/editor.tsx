import { Suspense } from "react";
import { lazily } from "../../lib/lazily.ts";
import type { Filter } from "../site/index.ts";
import styles from "./filter-bar.module.css";

const FilterEditor = lazily(async () => ({ default: (await import("./filter-editor.tsx")).FilterEditor }));

interface EditorProps {
	readonly filter?: Filter;
	readonly onApply: (filter: Filter) => void;
}

/** Makes or changes a filter. It is loaded when it opens; its place is kept, as the panel is placed by its size. */
export const Editor = (props: EditorProps) => (
	<Suspense fallback={<div className={styles.place} />}>
		<FilterEditor {...props} />
	</Suspense>
);
