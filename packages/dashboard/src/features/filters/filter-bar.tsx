import { Plus, X } from "lucide-react";
import { lazy, type ReactNode, Suspense } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { type Filter, formatFilter, parseFilter, useChangeSearch, useSiteSearch } from "../site/index.ts";
import styles from "./filter-bar.module.css";
import { filterWords } from "./filter-words.ts";

const FilterEditor = lazy(async () => ({ default: (await import("./filter-editor.tsx")).FilterEditor }));

const t = texts({
	en: {
		filters: "Filters",
		add: "Filter",
		drop: (filter: string) => `Take away: ${filter}`,
		clear: "Clear",
		cleared: "Filters cleared.",
		undo: "Undo",
		clearKey: "Clear filters",
	},
	es: {
		filters: "Filtros",
		add: "Filtro",
		drop: (filter: string) => `Quitar: ${filter}`,
		clear: "Quitar todos",
		cleared: "Filtros quitados.",
		undo: "Deshacer",
		clearKey: "Quitar los filtros",
	},
});

/** The filters that hold: each can be changed where it stands, or taken away. `children` stands beside “Clear”. */
export function FilterBar({ children }: { readonly children?: ReactNode }) {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const clear = () => {
		change({ f: [] });
		toast(t.cleared, { label: t.undo, run: () => change({ f }) });
	};
	useShortcuts(f.length > 0 ? [{ key: "escape", label: t.clearKey, run: clear }] : []);
	if (f.length === 0) return null;
	return (
		<div className={styles.bar}>
			<ul className={styles.chips} aria-label={t.filters}>
				{f.map((text, at) => (
					<Chip
						// biome-ignore lint/suspicious/noArrayIndexKey: a chip keeps its place while it is edited.
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

function Chip({ text, onChange }: { readonly text: string; readonly onChange: (next: string | undefined) => void }) {
	const filter = parseFilter(text);
	const [field, operator, value] = filter ? filterWords(filter) : ["", "", text];
	const said = `${field} ${operator} ${value}`.trim();
	const label = (
		<span className={styles.words} title={said}>
			{field} <span className={styles.operator}>{operator}</span> <strong>{shortened(value)}</strong>
		</span>
	);
	return (
		<li className={styles.chip}>
			{filter ? (
				<Popover look="quiet" small label={label}>
					{(close) => (
						<Editor
							filter={filter}
							onApply={(next) => {
								close();
								onChange(formatFilter(next));
							}}
						/>
					)}
				</Popover>
			) : (
				label
			)}
			<Button look="quiet" small icon aria-label={t.drop(said)} onClick={() => onChange(undefined)}>
				<X size={14} aria-hidden="true" />
			</Button>
		</li>
	);
}

const longest = 36;
/** A text that loses its middle when it is long: paths differ at their ends. The tooltip has it whole. */
const shortened = (text: string): string =>
	text.length <= longest ? text : `${text.slice(0, longest / 2)}…${text.slice(-longest / 2)}`;

const opener = "data-adds-filter";

/** Adds a filter. */
export function FilterButton() {
	const { f } = useSiteSearch();
	const change = useChangeSearch();
	const open = () => document.querySelector<HTMLElement>(`[${opener}]`)?.click();
	useShortcuts([{ key: "f", label: t.add, run: open }]);
	return (
		<Popover
			buttonProps={{ [opener]: "" }}
			label={
				<>
					<Plus size={16} aria-hidden="true" /> {t.add}
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

/** Loaded when it opens; its place is kept, as the panel is placed by its size. */
const Editor = (props: { readonly filter?: Filter; readonly onApply: (filter: Filter) => void }) => (
	<Suspense fallback={<div className={styles.place} />}>
		<FilterEditor {...props} />
	</Suspense>
);
