import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { changed, useSite, useSiteSearch } from "../site/index.ts";
import styles from "./goals.module.css";
import { t } from "./texts.ts";

interface WhereProps {
	readonly type: string;
	/** Route of the list of its events. */
	readonly of: "conversions" | "microconversions";
	readonly children: ReactNode;
}

/** Where one type comes from, with the way to its rows. */
export function Where({ type, of, children }: WhereProps) {
	const { id } = useSite();
	const search = useSiteSearch();
	const view = [`of:${of}`, `type:${type}`];
	return (
		<section className={styles.where} aria-label={t.splitOf(type)}>
			<header>
				<h3>{t.splitOf(type)}</h3>
				<Link
					to="/sites/$id/goals/events"
					params={{ id }}
					search={changed(search, { view, sort: undefined, page: undefined })}
				>
					{t.rows}
				</Link>
			</header>
			{children}
		</section>
	);
}
