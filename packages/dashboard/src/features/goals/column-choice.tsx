import { Columns3 } from "lucide-react";
import { Popover } from "../../ui/popover/popover.tsx";
import { dimensionLabels } from "../site/index.ts";
import styles from "./goals.module.css";
import { columnsOf, type RowColumn, type RowKind } from "./row-columns.ts";
import { t } from "./rows-texts.ts";

/** The name of a column. */
export const columnLabel = (name: RowColumn): string =>
	name === "amount" || name === "clid" || name === "properties" ? t[name] : dimensionLabels[name];

interface ColumnChoiceProps {
	readonly kind: RowKind;
	readonly chosen: readonly RowColumn[];
	readonly onChange: (names: readonly RowColumn[]) => void;
}

/** Which columns rows have. */
export const ColumnChoice = ({ kind, chosen, onChange }: ColumnChoiceProps) => (
	<Popover
		small
		label={
			<>
				<Columns3 size={16} aria-hidden="true" /> {t.columns}
			</>
		}
	>
		{() => (
			<fieldset className={styles.choices} aria-label={t.columns}>
				{columnsOf(kind).map((name) => (
					<label key={name} className={styles.check}>
						<input
							type="checkbox"
							checked={chosen.includes(name)}
							onChange={(event) =>
								onChange(event.target.checked ? [...chosen, name] : chosen.filter((one) => one !== name))
							}
						/>
						{columnLabel(name)}
					</label>
				))}
			</fieldset>
		)}
	</Popover>
);
