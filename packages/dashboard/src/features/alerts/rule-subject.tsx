import type { FormState } from "../../lib/use-form.ts";
import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import { figureNamed } from "./alert-words.ts";
import styles from "./alerts.module.css";
import { t } from "./form-texts.ts";
import { figuresFor, type RulePartProps, type RuleType, typedFigures, types } from "./rule-body.ts";

type SubjectProps = RulePartProps & Pick<FormState, "errorOf">;

/** Which figure a rule watches. */
export function SubjectFields({ rule, first, shape, errorOf }: SubjectProps) {
	const condition = rule?.custom_condition;
	const isSource = shape.type === "source_change";
	return (
		<fieldset className={styles.part}>
			<legend>{t.what}</legend>
			<Select label={t.type} hint={t.typeHelp[shape.type]} name="alert_type" defaultValue={first.type}>
				<Options of={types} text={(type) => t.types[type]} />
			</Select>
			<div className={styles.row}>
				{types.map((type) => (
					<FigureChoice key={type} type={type} first={first} shape={shape} errorOf={errorOf} />
				))}
				<div hidden={!typedFigures.includes(shape.figure)}>
					<Field
						label={t.eventType}
						hint={t.eventTypeHint}
						name="custom_condition.conversion_type"
						maxLength={255}
						autoComplete="off"
						autoCapitalize="none"
						defaultValue={condition?.conversion_type}
					/>
				</div>
				<div hidden={!isSource}>
					<Field
						label={t.source}
						name="custom_condition.utm_source"
						required={isSource}
						maxLength={255}
						autoComplete="off"
						autoCapitalize="none"
						defaultValue={condition?.utm_source}
					/>
				</div>
			</div>
		</fieldset>
	);
}

/** The figures of one type, each type its own choice, so that none is lost by looking at another type. */
function FigureChoice({ type, first, shape, errorOf }: Omit<SubjectProps, "rule"> & { readonly type: RuleType }) {
	const usual = figuresFor[type];
	if (usual === undefined) return null;
	// A program may have made a rule with any figure.
	const figures = first.type === type && !usual.includes(first.figure) ? [...usual, first.figure] : usual;
	return (
		<div hidden={shape.type !== type}>
			<Select
				label={t.figure}
				name={`figure_${type}`}
				defaultValue={first.type === type ? first.figure : usual[0]}
				error={shape.type === type ? (errorOf("metric") ?? errorOf("custom_condition.metric")) : undefined}
			>
				<Options of={figures} text={(figure) => figureNamed(figure).label} />
			</Select>
		</div>
	);
}
