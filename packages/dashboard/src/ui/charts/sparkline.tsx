import styles from "./sparkline.module.css";
import { sparklinePath } from "./sparkline-path.ts";

const width = 120;
const height = 32;

/**
 * How a figure went, without axes, as wide and high as its place. It is silent: the figures stand beside it. The last
 * part is dotted, as that day still runs.
 */
export function Sparkline({ values }: { readonly values: readonly number[] }) {
	const { line, area, running } = sparklinePath(values, width, height);
	return (
		<svg viewBox={`0 0 ${width} ${height}`} preserveAspectRatio="none" className={styles.sparkline} aria-hidden="true">
			<path d={area} className={styles.area} />
			<path d={line} className={styles.line} vectorEffect="non-scaling-stroke" />
			<path d={running} className={styles.running} vectorEffect="non-scaling-stroke" />
		</svg>
	);
}
