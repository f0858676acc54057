import { count } from "../../lib/format.ts";
import { Cut } from "../../ui/cut/cut.tsx";
import styles from "./live.module.css";
import { t } from "./texts.ts";

interface LiveListProps {
	readonly title: string;
	readonly rows: readonly { readonly name: string; readonly visits: number }[];
}

/** Where the visits of now are, most first. */
export function LiveList({ title, rows }: LiveListProps) {
	const most = Math.max(1, ...rows.map(({ visits }) => visits));
	return (
		<section className={styles.part} aria-label={title}>
			<h2>{title}</h2>
			{rows.length === 0 ? (
				<p className="muted">{t.nobody}</p>
			) : (
				<ol className={styles.list}>
					{rows.map(({ name, visits }) => (
						<li key={name} className={styles.row}>
							<span className={styles.bar} style={{ inlineSize: `${(visits / most) * 100}%` }} />
							<Cut text={name} />
							<strong data-figure="">{count(visits)}</strong>
						</li>
					))}
				</ol>
			)}
		</section>
	);
}
