import { useQuery } from "@tanstack/react-query";
import { textOf } from "../../lib/use-form.ts";
import { Field, Select, verbatim } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import type { Site } from "../site/index.ts";
import styles from "./channels.module.css";
import type { Touch } from "./moves.ts";
import { hows, readPattern, writePattern } from "./pattern.ts";
import { patternFields } from "./rule-words.ts";
import { t } from "./texts.ts";
import { touchesQuery } from "./trial.ts";
import type { Rule } from "./use-rules.ts";

type PatternField = (typeof patternFields)[number];

/** A condition of the form as the expression that the API takes. */
export const patternOf = (values: FormData, field: PatternField): string | null =>
	writePattern({
		how: hows.find((how) => how === textOf(values, `${field}_how`)) ?? "contains",
		text: textOf(values, field).trim(),
	});

const seenIn: Readonly<Record<PatternField, (touch: Touch) => string>> = {
	source_pattern: ({ source }) => source,
	medium_pattern: ({ medium }) => medium,
	campaign_pattern: ({ campaign }) => campaign,
};

/** Conditions on source, medium and campaign. Known values are suggested. */
export function ConditionFields({ site, rule }: { readonly site: Site; readonly rule: Rule | undefined }) {
	const { data } = useQuery(touchesQuery(site));
	return (
		<fieldset className={styles.conditions}>
			<legend>{t.conditions}</legend>
			<p className={styles.hint}>{t.conditionsHint}</p>
			{patternFields.map((field) => {
				const { how, text } = readPattern(rule?.[field] ?? null);
				const seen = new Set(data?.touches.map(seenIn[field]).filter((value) => value !== ""));
				return (
					<div key={field} className={styles.condition}>
						<Select label={t.fields[field]} name={`${field}_how`} defaultValue={how}>
							<Options of={hows} text={(one) => t.hows[one]} />
						</Select>
						<Field
							label={t.valueOf(t.fields[field])}
							name={field}
							list={`seen-${field}`}
							defaultValue={text}
							maxLength={250}
							{...verbatim}
						/>
						<datalist id={`seen-${field}`}>
							{[...seen].slice(0, 50).map((value) => (
								<option key={value} value={value} />
							))}
						</datalist>
					</div>
				);
			})}
		</fieldset>
	);
}
