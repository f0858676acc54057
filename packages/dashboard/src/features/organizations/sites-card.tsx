import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Card } from "../../ui/card/card.tsx";
import { Item, Items } from "../../ui/items/items.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { type OrgRole, orgSitesQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** The sites of an organization, as far as the reader sees them. */
export function SitesCard({ slug, role }: { readonly slug: string; readonly role: OrgRole }) {
	const query = useQuery(orgSitesQuery(slug));
	return (
		<Card title={t.sites} actions={role !== "member" && <Link to="/sites/new">{t.newSite}</Link>}>
			<Loaded query={query} isEmpty={({ sites }) => sites.length === 0} empty={<p>{t.noSites}</p>}>
				{({ sites }) => (
					<Items label={t.sites}>
						{sites.map((site) => (
							<Item
								key={site.id}
								title={
									site.is_active ? (
										<Link to="/sites/$id" params={{ id: site.id }}>
											{site.name}
										</Link>
									) : (
										site.name
									)
								}
								facts={`${site.id} · ${site.timezone} · ${site.currency}`}
								state={site.is_active ? undefined : { text: t.inactive, tone: "warn" }}
							/>
						))}
					</Items>
				)}
			</Loaded>
		</Card>
	);
}
