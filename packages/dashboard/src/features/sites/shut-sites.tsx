import { Link } from "@tanstack/react-router";
import { plural, texts } from "../../lib/language.ts";
import styles from "./sites.module.css";

const t = texts({
	en: {
		shut: (n: number) => `${plural(n, "This site is", "These sites are")} not accessible from your IP address:`,
	},
	es: {
		shut: (n: number) =>
			`${plural(n, "Este sitio no es accesible", "Estos sitios no son accesibles")} desde tu dirección IP:`,
	},
});

/** Sites that the reader may not open from this address. Each has a page with details. */
export function ShutSites({ ids }: { readonly ids: readonly string[] }) {
	if (ids.length === 0) return null;
	return (
		<section className={styles.shut}>
			<p>{t.shut(ids.length)}</p>
			<ul>
				{ids.map((id) => (
					<li key={id}>
						<Link to="/sites/$id" params={{ id }}>
							{id}
						</Link>
					</li>
				))}
			</ul>
		</section>
	);
}
