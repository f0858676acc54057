import { useSuspenseQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { texts } from "../../lib/language.ts";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import page from "../../ui/page/page.module.css";
import { sitesQuery } from "../site/index.ts";

const t = texts({ en: { title: "Sites", add: "New site" }, es: { title: "Sitios", add: "Nuevo sitio" } });

/** All sites of the reader. */
export function SitesScreen() {
	const { data } = useSuspenseQuery(sitesQuery);
	return (
		<main className={page.page}>
			<header className={page.head}>
				<h1>{t.title}</h1>
				<Link to="/sites/new" className={buttonClass("primary")}>
					{t.add}
				</Link>
			</header>
			{data.sites.map((site) => (
				<Card key={site.id}>
					<Link to="/sites/$id" params={{ id: site.id }}>
						{site.name}
					</Link>
				</Card>
			))}
		</main>
	);
}
