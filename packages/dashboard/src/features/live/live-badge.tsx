import { Link } from "@tanstack/react-router";
import { classes } from "../../lib/classes.ts";
import { count } from "../../lib/format.ts";
import { texts } from "../../lib/language.ts";
import { changed, readSearch, shared, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./live-badge.module.css";
import { useLive, useLiveChoice } from "./use-live.ts";

/** Words of the badge alone, which is there before the screen that it leads to. */
const t = texts({
	en: {
		now: (visits: string) => `${visits} now`,
		badge: (visits: string) => `${visits} now, open live view`,
	},
	es: {
		now: (visits: string) => `${visits} ahora`,
		badge: (visits: string) => `${visits} ahora, abrir en vivo`,
	},
});

/** How many visits are active now; it leads to the live screen. */
export function LiveBadge() {
	const { id } = useSite();
	const search = useSiteSearch();
	const { active, connection } = useLive(useLiveChoice());
	if (connection === "refused") return null;
	const visits = count(active ?? 0);
	return (
		<Link
			to="/sites/$id/live"
			params={{ id }}
			search={changed(readSearch({}), shared(search))}
			className={classes(styles.badge, active === undefined && styles.unknown)}
			aria-label={t.badge(visits)}
		>
			<span
				className={classes(styles.dot, connection === "connected" && active ? styles.isLive : undefined)}
				aria-hidden="true"
			/>
			<span className={styles.wide}>{t.now(visits)}</span>
			<span className={styles.narrow}>{visits}</span>
		</Link>
	);
}
