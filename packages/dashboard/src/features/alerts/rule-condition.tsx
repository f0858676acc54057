import { Field, Select } from "../../ui/field/field.tsx";
import { Options } from "../../ui/field/options.tsx";
import styles from "./alerts.module.css";
import { t } from "./form-texts.ts";
import { baselines, conditions, directions, hasBaseline, hasDirection, windows } from "./rule-body.ts";
import type { RulePartProps } from "./rule-parts.ts";

/** When a rule fires. */
export function ConditionFields({ rule, first, shape }: RulePartProps) {
	return (
		<fieldset className={styles.part}>
			<legend>{t.when}</legend>
			<Select
				label={t.condition}
				hint={t.conditionHelp[shape.condition]}
				name="condition_type"
				defaultValue={first.condition}
			>
				<Options of={conditions} text={(condition) => t.conditions[condition]} />
			</Select>
			<div className={styles.row}>
				<Field
					label={t.threshold[shape.condition]}
					hint={t.thresholdHint}
					name="threshold_value"
					type="number"
					min={0}
					max={10_000}
					step="any"
					required
					defaultValue={first.threshold}
				/>
				<Field
					label={t.cooldown}
					hint={t.cooldownHint}
					name="cooldown_minutes"
					type="number"
					min={5}
					max={1_440}
					required
					defaultValue={rule?.cooldown_minutes ?? 60}
				/>
			</div>
			<TimeFields rule={rule} first={first} shape={shape} />
		</fieldset>
	);
}

/** Which way, over which time, against which. */
function TimeFields({ first, shape }: RulePartProps) {
	return (
		<div className={styles.row}>
			<div hidden={!hasDirection(shape)}>
				<Select label={t.direction} name="threshold_direction" defaultValue={first.direction}>
					<Options of={directions} text={(direction) => t.directions[direction]} />
				</Select>
			</div>
			<Select label={t.window} name="comparison_window" defaultValue={first.window}>
				<Options of={windows} text={(window) => t.windows[window]} />
			</Select>
			{/* Refused hits are known for a day, so that their usual is that day's. */}
			<div hidden={!hasBaseline(shape) || shape.type === "error_rate"}>
				<Select label={t.baseline} name="baseline_period" defaultValue={first.baseline}>
					<Options of={baselines} text={(baseline) => t.baselines[baseline]} />
				</Select>
			</div>
		</div>
	);
}
