import { Check } from "lucide-react";
import { classes } from "../../lib/classes.ts";
import { texts } from "../../lib/language.ts";
import styles from "./steps.module.css";

const t = texts({ en: { steps: "Steps", done: "done" }, es: { steps: "Pasos", done: "hecho" } });

interface StepsProps {
	readonly names: readonly string[];
	/** Which one is being done; all before it are done. */
	readonly current: number;
}

/** How far one has come in something that takes several steps. */
export function Steps({ names, current }: StepsProps) {
	return (
		<ol className={styles.steps} aria-label={t.steps}>
			{names.map((name, at) => (
				<li
					key={name}
					aria-current={at === current ? "step" : undefined}
					className={classes(styles.step, at < current && styles.done)}
				>
					<span className={styles.mark} aria-hidden="true">
						{at < current ? <Check size={14} /> : at + 1}
					</span>
					{name}
					{at < current && <span className="visually-hidden">({t.done})</span>}
				</li>
			))}
		</ol>
	);
}
