import { classes } from "../../lib/classes.ts";
import styles from "./meter.module.css";

interface MeterProps {
	/** How much of it is used, from 0 on; beyond 1 it is full. */
	readonly share: number;
	/** It is too much. */
	readonly isOver?: boolean;
}

/** A progress bar; the text beside it gives the same value. */
export const Meter = ({ share, isOver = false }: MeterProps) => (
	<div className={styles.meter} aria-hidden="true">
		<span className={classes(styles.fill, isOver && styles.over)} style={{ width: `${Math.min(1, share) * 100}%` }} />
	</div>
);
