import { Plus } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { Popover } from "../../ui/popover/popover.tsx";
import { formatFilter, parseFilter } from "../site/index.ts";
import styles from "./edited-filters.module.css";
import { Editor } from "./editor.tsx";
import { FilterChip } from "./filter-chip.tsx";
import { filterWords } from "./filter-words.ts";

const t = texts({
	en: {
		empty: "No conditions yet.",
		add: "Condition",
		addTo: (where: string) => `Condition: add to “${where}”`,
	},
	es: {
		empty: "Aún no hay condiciones.",
		add: "Condición",
		addTo: (where: string) => `Condición: añadir a «${where}»`,
	},
});

interface EditedFiltersProps {
	/** Says which filters they are. */
	readonly name: string;
	/** As they would stand in the address. */
	readonly list: readonly string[];
	/** So many it may hold. */
	readonly most: number;
	/** Without it they can only be looked at. */
	readonly onChange: ((list: readonly string[]) => void) | undefined;
}

/** Filters that are edited where they stand: a list that is no part of the address. */
export function EditedFilters({ name, list, most, onChange }: EditedFiltersProps) {
	return (
		<div className={styles.filters}>
			{list.length === 0 ? (
				<span className="muted">{t.empty}</span>
			) : (
				<ul className={styles.chips} aria-label={name}>
					{list.map((text, at) =>
						onChange === undefined ? (
							<li key={text} className={styles.said}>
								{wordsOf(text)}
							</li>
						) : (
							<FilterChip
								// biome-ignore lint/suspicious/noArrayIndexKey: a chip keeps its place while it is edited.
								key={at}
								text={text}
								onChange={(next) => onChange(list.toSpliced(at, 1, ...(next === undefined ? [] : [next])))}
							/>
						),
					)}
				</ul>
			)}
			{onChange && list.length < most && (
				<Popover
					small
					name={t.addTo(name)}
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
								onChange([...list, formatFilter(filter)]);
							}}
						/>
					)}
				</Popover>
			)}
		</div>
	);
}

function wordsOf(text: string): string {
	const filter = parseFilter(text);
	return filter === undefined ? text : filterWords(filter).join(" ");
}
