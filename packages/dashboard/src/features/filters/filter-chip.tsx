import { X } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { Button } from "../../ui/button/button.tsx";
import { Popover } from "../../ui/popover/popover.tsx";
import { formatFilter, parseFilter } from "../site/index.ts";
import { Editor } from "./editor.tsx";
import styles from "./filter-bar.module.css";
import { filterWords } from "./filter-words.ts";

const t = texts({
	en: { drop: (filter: string) => `Remove: ${filter}` },
	es: { drop: (filter: string) => `Quitar: ${filter}` },
});

interface FilterChipProps {
	/** The filter as it stands in the address. */
	readonly text: string;
	/** Called with the filter in its place, or with nothing where it is taken away. */
	readonly onChange: (next: string | undefined) => void;
}

/** A filter that can be changed where it stands, or taken away. */
export function FilterChip({ text, onChange }: FilterChipProps) {
	const filter = parseFilter(text);
	const [field, operator, value] = filter ? filterWords(filter) : ["", "", text];
	const said = `${field} ${operator} ${value}`.trim();
	const label = (
		<span className={styles.words} title={said}>
			{field} <span className="muted">{operator}</span> <strong>{shortened(value)}</strong>
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
