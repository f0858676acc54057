import { Columns3 } from "lucide-react";
import { texts } from "../../lib/language.ts";
import { Popover } from "../popover/popover.tsx";
import styles from "./column-choice.module.css";

const t = texts({ en: { columns: "Columns" }, es: { columns: "Columnas" } });

interface ColumnChoiceProps<K extends string> {
	readonly columns: readonly { readonly key: K; readonly label: string }[];
	readonly chosen: readonly K[];
	readonly onChange: (chosen: readonly K[]) => void;
	/** As high as the small buttons beside it. */
	readonly small?: boolean;
}

/** Which columns a table has. */
export const ColumnChoice = <K extends string>({ columns, chosen, onChange, small = false }: ColumnChoiceProps<K>) => (
	<Popover
		small={small}
		name={t.columns}
		label={
			<>
				<Columns3 size={16} aria-hidden="true" /> <span className={styles.label}>{t.columns}</span>
			</>
		}
	>
		{() => (
			<fieldset className={styles.choices} aria-label={t.columns}>
				{columns.map(({ key, label }) => (
					<label key={key} className={styles.check}>
						<input
							type="checkbox"
							checked={chosen.includes(key)}
							onChange={(event) =>
								onChange(event.target.checked ? [...chosen, key] : chosen.filter((one) => one !== key))
							}
						/>
						{label}
					</label>
				))}
			</fieldset>
		)}
	</Popover>
);
