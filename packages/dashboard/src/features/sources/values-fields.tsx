import { Field } from "../../ui/field/field.tsx";
import { Pair } from "../../ui/form/record-form.tsx";
import { t } from "./texts.ts";

interface ValuesFieldsProps {
	/** Which of them, with what they hold. */
	readonly values: Readonly<Partial<Record<keyof typeof t.fields, string>>>;
}

const lengths: Readonly<Partial<Record<string, number>>> = { utm_medium: 100 };

/** The campaign values that a rule gives to a visit; the source has to be there. */
export const ValuesFields = ({ values }: ValuesFieldsProps) => (
	<Pair>
		{(Object.keys(t.fields) as (keyof typeof t.fields)[])
			.filter((name) => values[name] !== undefined)
			.map((name) => (
				<Field
					key={name}
					label={t.fields[name]}
					name={name}
					defaultValue={values[name]}
					required={name === "utm_source"}
					maxLength={lengths[name] ?? 255}
					autoComplete="off"
					spellCheck={false}
				/>
			))}
	</Pair>
);
