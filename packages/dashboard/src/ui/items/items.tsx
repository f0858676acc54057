import type { HTMLAttributes, ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import styles from "./items.module.css";

/** Rows of records with what can be done with each: members, keys, endpoints. */
export const Items = ({ label, children }: { readonly label: string; readonly children: ReactNode }) => (
	<ul className={styles.items} aria-label={label}>
		{children}
	</ul>
);

interface StateProps {
	readonly text: string;
	/** The colour of what it means. */
	readonly tone: "good" | "bad" | "warn" | "muted";
}

/** How a record stands, as one word or two. */
export const State = ({ text, tone }: StateProps) => (
	<span className={classes(styles.state, styles[tone])}>{text}</span>
);

interface ItemProps {
	readonly title: ReactNode;
	/** Facts below the title, in grey. */
	readonly facts?: ReactNode;
	readonly state?: StateProps | undefined;
	/** Buttons at the end of the row. */
	readonly actions?: ReactNode;
	/** Shown before the title: the drag handle. */
	readonly lead?: ReactNode;
	/** Makes the row a place to drop another one on. */
	readonly drop?: Pick<HTMLAttributes<HTMLLIElement>, "onDragOver" | "onDrop">;
	/** Stands below, over the whole width. */
	readonly children?: ReactNode;
}

/** One record. */
export function Item({ title, facts, state, actions, lead, drop, children }: ItemProps) {
	return (
		<li className={styles.item} {...drop}>
			<div className={styles.row}>
				{lead}
				<div className={styles.words}>
					<p className={styles.title}>
						<strong>{title}</strong>
						{state && <State {...state} />}
					</p>
					{facts && <p className={styles.facts}>{facts}</p>}
				</div>
				{actions && <div className={styles.actions}>{actions}</div>}
			</div>
			{children}
		</li>
	);
}
