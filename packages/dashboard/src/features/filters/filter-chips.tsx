import type { ReactNode } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./filter-bar.module.css";
import { FilterChip } from "./filter-chip.tsx";

const t = texts({
	en: {
		filters: "Filters",
		clear: "Clear",
		cleared: "Filters cleared.",
		undo: "Undo",
		clearKey: "Clear filters",
	},
	es: {
		filters: "Filtros",
		clear: "Quitar todos",
		cleared: "Filtros quitados.",
		undo: "Deshacer",
		clearKey: "Quitar filtros",
	},
});

/** The filters that hold: each can be changed where it stands, or taken away. `children` stands beside “Clear”. */
export function FilterChips({ children }: { readonly children?: ReactNode }) {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const clear = () => {
		change({ f: [] });
		toast(t.cleared, { label: t.undo, run: () => change({ f }) });
	};
	useShortcuts([{ key: "escape", label: t.clearKey, run: clear }]);
	return (
		<div className={styles.bar}>
			<ul className={styles.chips} aria-label={t.filters}>
				{f.map((text, at) => (
					<FilterChip
						// biome-ignore lint/suspicious/noArrayIndexKey: a chip stays the same while its text changes: its editor is open in it.
						key={at}
						text={text}
						onChange={(next) => change({ f: f.toSpliced(at, 1, ...(next === undefined ? [] : [next])) })}
					/>
				))}
			</ul>
			<div className={styles.actions}>
				{children}
				<Button look="quiet" small onClick={clear}>
					{t.clear}
				</Button>
			</div>
		</div>
	);
}
