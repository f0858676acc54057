import { classes } from "../../lib/classes.ts";
import styles from "./skip-link.module.css";

/** The first thing for those who go by keys: past the frame to what the page is about, which has the id `main`. */
export const SkipLink = ({ label }: { readonly label: string }) => (
	<a className={classes("visually-hidden", styles.skip)} href="#main">
		{label}
	</a>
);
