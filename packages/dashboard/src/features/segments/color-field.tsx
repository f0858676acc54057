import styles from "./manage.module.css";
import { t } from "./manage-texts.ts";
import { segmentColors } from "./segment-colors.ts";

const palette = Object.entries(segmentColors) as [keyof typeof segmentColors, string][];

/** The colour by which a segment is known again; one that comes from elsewhere stays until another is chosen. */
export function ColorField({ color }: { readonly color: string | null }) {
	const isForeign = color !== null && palette.every(([, value]) => value !== color.toLowerCase());
	const choices: readonly (readonly [string, string])[] = [
		["", t.noColor],
		...(isForeign ? [[color, t.ownColor] as const] : []),
		...palette.map(([name, value]) => [value, t.colors[name]] as const),
	];
	return (
		<fieldset className={styles.colors}>
			<legend>{t.color}</legend>
			{choices.map(([value, name]) => (
				<label key={value} className={styles.color}>
					<input
						type="radio"
						name="color"
						value={value}
						defaultChecked={(color ?? "").toLowerCase() === value.toLowerCase()}
					/>
					{value !== "" && <span className={styles.dot} style={{ background: value }} aria-hidden="true" />}
					{name}
				</label>
			))}
		</fieldset>
	);
}
