import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import styles from "./items.module.css";

/** Rows of records with what can be done with each: members, keys, endpoints. */
export const Items = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
	<ul className={styles.items} aria-label={label}>
		{children}
	</ul>
);

interface ItemProps {
	readonly title: ReactNode;
	/** Facts below the title, in grey. */
	readonly facts?: ReactNode;
	/** Its state as one word or two, with the colour of what it means. */
	readonly state?: { readonly text: string; readonly tone: "good" | "bad" | "warn" | "muted" } | undefined;
	/** Buttons at the end of the row. */
	readonly actions?: ReactNode;
	/** Stands below, over the whole width. */
	readonly children?: ReactNode;
}

/** One record. */
export function Item({ title, facts, state, actions, children }: ItemProps) {
	return (
		<li className={styles.item}>
			<div className={styles.row}>
				<div className={styles.words}>
					<p className={styles.title}>
						<strong>{title}</strong>
						{state && <span className={classes(styles.state, styles[state.tone])}>{state.text}</span>}
					</p>
					{facts && <p className={styles.facts}>{facts}</p>}
				</div>
				{actions && <div className={styles.actions}>{actions}</div>}
			</div>
			{children}
		</li>
	);
}
