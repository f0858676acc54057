import type { ReactNode } from "react";
import styles from "./admin.module.css";

interface FactsProps {
	/** Names and values in their order. */
	readonly rows: readonly (readonly [name: string, value: ReactNode])[];
}

/** Names and what is known under them. */
export const Facts = ({ rows }: FactsProps) => (
	<dl className={styles.facts}>
		{rows.map(([name, value]) => (
			<div key={name} className={styles.fact}>
				<dt>{name}</dt>
				<dd>{value}</dd>
			</div>
		))}
	</dl>
);
