import type { ReactNode } from "react";
import styles from "./goals.module.css";

interface MovedProps {
	/** How the figure has changed; false where nothing is compared. */
	readonly by: ReactNode;
	readonly children: ReactNode;
}

/** A figure of a table with its change beside it, so that both are one column. */
export const Moved = ({ by, children }: MovedProps) => (
	<>
		{children}
		{by !== false && <span className={styles.moved}>{by}</span>}
	</>
);
