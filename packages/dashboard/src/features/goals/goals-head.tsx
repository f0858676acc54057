import { Link } from "@tanstack/react-router";
import { changed, ScreenHead, shared, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

const parts = [
	{ to: "/sites/$id/goals", label: t.overview },
	{ to: "/sites/$id/goals/events", label: t.rowByRow },
	{ to: "/sites/$id/goals/properties", label: t.properties },
] as const;

/** The head of the three screens about what visits are for. */
export function GoalsHead() {
	const { id } = useSite();
	const search = useSiteSearch();
	const kept = changed({ ...search, view: [] }, { ...shared(search), sort: undefined, page: undefined });
	return (
		<ScreenHead title={t.title}>
			<nav aria-label={t.parts} className={styles.parts}>
				{parts.map(({ to, label }) => (
					<Link
						key={to}
						to={to}
						params={{ id }}
						search={kept}
						className={styles.part}
						activeOptions={{ exact: true, includeSearch: false }}
					>
						{label}
					</Link>
				))}
			</nav>
		</ScreenHead>
	);
}
