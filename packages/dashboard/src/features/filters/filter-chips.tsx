import { X } from "lucide-react";
import type { ReactNode } from "react";
import { useShortcuts } from "../../lib/keys.ts";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { toast } from "../../ui/toast/toast.tsx";
import { formatFilter, parseFilter, useChangeSearch, useSiteSearch } from "../site/index.ts";
import { Editor } from "./editor.tsx";
import styles from "./filter-bar.module.css";
import { filterWords } from "./filter-words.ts";

const t = texts({
	en: {
		filters: "Filters",
		drop: (filter: string) => `Take away: ${filter}`,
		clear: "Clear",
		cleared: "Filters cleared.",
		undo: "Undo",
		clearKey: "Clear filters",
	},
	es: {
		filters: "Filtros",
		drop: (filter: string) => `Quitar: ${filter}`,
		clear: "Quitar todos",
		cleared: "Filtros quitados.",
		undo: "Deshacer",
		clearKey: "Quitar los filtros",
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
