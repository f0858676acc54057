import type { ReactNode } from "react";
import { classes } from "../../lib/classes.ts";
import styles from "./card.module.css";

interface CardProps {
	/** Names the section for screen readers. */
	readonly label?: string;
	readonly title?: ReactNode;
	/** Stands at the end of the title's row. */
	readonly actions?: ReactNode;
	readonly className?: string | undefined;
	readonly children: ReactNode;
}

/** A framed part of a screen. */
export function Card({ label, title, actions, className, children }: CardProps) {
	return (
		<section aria-label={label} className={classes(styles.card, className)}>
			{(title || actions) && (
				<header className={styles.head}>
					{typeof title === "string" ? <h2>{title}</h2> : title}
					{actions}
				</header>
			)}
			{children}
		</section>
	);
}
