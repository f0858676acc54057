import { Field, Select } from "../../ui/field/field.tsx";
import styles from "./alerts.module.css";
import { t } from "./form-texts.ts";
import { baselines, conditions, directions, hasBaseline, hasDirection, windows } from "./rule-body.ts";
import type { RulePartProps } from "./rule-parts.ts";

/** When a rule fires. */
export function ConditionFields({ rule, first, shape, errorOf }: RulePartProps) {
	return (
		<fieldset className={styles.part}>
			<legend>{t.when}</legend>
			<Select
				label={t.condition}
				hint={t.conditionHelp[shape.condition]}
				name="condition_type"
				defaultValue={first.condition}
				error={errorOf("condition_type")}
			>
				{conditions.map((condition) => (
					<option key={condition} value={condition}>
						{t.conditions[condition]}
					</option>
				))}
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
					error={errorOf("threshold_value")}
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
					error={errorOf("cooldown_minutes")}
				/>
			</div>
			<TimeFields rule={rule} first={first} shape={shape} errorOf={errorOf} />
		</fieldset>
	);
}

/** Which way, over which time, against which. */
function TimeFields({ first, shape, errorOf }: RulePartProps) {
	return (
		<div className={styles.row}>
			<div hidden={!hasDirection(shape)}>
				<Select
					label={t.direction}
					name="threshold_direction"
					defaultValue={first.direction}
					error={errorOf("threshold_direction")}
				>
					{directions.map((direction) => (
						<option key={direction} value={direction}>
							{t.directions[direction]}
						</option>
					))}
				</Select>
			</div>
			<Select
				label={t.window}
				name="comparison_window"
				defaultValue={first.window}
				error={errorOf("comparison_window")}
			>
				{windows.map((window) => (
					<option key={window} value={window}>
						{t.windows[window]}
					</option>
				))}
			</Select>
			{/* Refused hits are known for a day, so that their usual is that day's. */}
			<div hidden={!hasBaseline(shape) || shape.type === "error_rate"}>
				<Select
					label={t.baseline}
					name="baseline_period"
					defaultValue={first.baseline}
					error={errorOf("baseline_period")}
				>
					{baselines.map((baseline) => (
						<option key={baseline} value={baseline}>
							{t.baselines[baseline]}
						</option>
					))}
				</Select>
			</div>
		</div>
	);
}
