import { Plus } from "lucide-react";
import { type ReactNode, Suspense } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { lazily } from "../../lib/lazily.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { formatFilter, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { Editor } from "./editor.tsx";
import styles from "./filter-bar.module.css";

const FilterChips = lazily(async () => ({ default: (await import("./filter-chips.tsx")).FilterChips }));

const t = texts({ en: { add: "Filter" }, es: { add: "Filtro" } });

/** The filters that hold: each can be changed where it stands, or taken away. `children` stands beside “Clear”. */
export function FilterBar({ children }: { readonly children?: ReactNode }) {
	const { f } = useSiteSearch();
	if (f.length === 0) return null;
	return (
		<Suspense fallback={<div className={styles.line} />}>
			<FilterChips>{children}</FilterChips>
		</Suspense>
	);
}

const opener = "data-adds-filter";

/** Adds a filter. */
export function FilterButton() {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const open = () => document.querySelector<HTMLElement>(`[${opener}]`)?.click();
	useShortcuts([{ key: "f", label: t.add, run: open }]);
	return (
		<Popover
			name={t.add}
			buttonProps={{ [opener]: "" }}
			label={
				<>
					<Plus size={16} aria-hidden="true" />
					<span className={styles.word}>{t.add}</span>
				</>
			}
		>
			{(close) => (
				<Editor
					onApply={(filter) => {
						close();
						change({ f: [...f, formatFilter(filter)] });
					}}
				/>
			)}
		</Popover>
	);
}
