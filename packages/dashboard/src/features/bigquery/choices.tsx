import { Check, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import styles from "./bigquery.module.css";
import { type DataType, dataTypes, frequencies, type Integration } from "./queries.ts";
import { t } from "./texts.ts";

/** Those of a new integration. */
const usualTypes: readonly DataType[] = ["traffic", "pages", "landing_pages", "conversions", "microconversions"];

interface TypesProps {
	readonly chosen?: readonly DataType[];
	readonly error?: string | undefined;
}

/** Choice of the data to sync. */
export const TypeChoice = ({ chosen = usualTypes, error }: TypesProps) => (
	<fieldset className={styles.types}>
		<legend>{t.what}</legend>
		{dataTypes.map((type, at) => (
			<Check
				key={type}
				label={t.types[type]}
				name="data_types"
				value={type}
				defaultChecked={chosen.includes(type)}
				error={at === dataTypes.length - 1 ? error : undefined}
			/>
		))}
	</fieldset>
);

/** The kinds of data that are checked in a form. */
export const typesOf = (values: FormData): DataType[] => {
	const checked = values.getAll("data_types");
	return dataTypes.filter((type) => checked.includes(type));
};

/** How often. */
export const FrequencyChoice = ({ value = "daily" }: { readonly value?: Integration["sync_frequency"] }) => (
	<Select label={t.frequency} name="sync_frequency" defaultValue={value}>
		<Options of={frequencies} text={(frequency) => t.frequencies[frequency]} />
	</Select>
);

/** The frequency of a form. */
export const frequencyOf = (values: FormData): Integration["sync_frequency"] =>
	frequencies.find((frequency) => frequency === values.get("sync_frequency")) ?? "daily";
