import { classes } from "../../lib/classes.ts";
import styles from "./cut.module.css";

const longest = 22;
const end = 12;

/** A text on one line that loses its middle where there is no room: paths differ at their ends. The tooltip has it whole. */
export function Cut({ text, className }: { readonly text: string; readonly className?: string | undefined }) {
	const at = text.length > longest ? text.length - end : text.length;
	return (
		<span className={classes(styles.cut, className)} title={text}>
			<span className={styles.head}>{text.slice(0, at)}</span>
			{at < text.length && <span className={styles.tail}>{text.slice(at)}</span>}
		</span>
	);
}
