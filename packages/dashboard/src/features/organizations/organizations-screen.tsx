import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { buttonClass } from "../../ui/button/button.tsx";
import { Card } from "../../ui/card/card.tsx";
import { Item } from "../../ui/items/items.tsx";
import { LoadedItems } from "../../ui/items/loaded-items.tsx";
import { OuterFrame } from "../account/index.ts";
import { organizationsQuery } from "./queries.ts";
import { t } from "./texts.ts";

/** The organizations of the reader; a superadmin sees all. */
export function OrganizationsScreen() {
	const query = useQuery(organizationsQuery);
	return (
		<OuterFrame
			title={t.title}
			actions={
				query.data?.can_create_org && (
					<Link to="/organizations/new" className={buttonClass("primary")}>
						{t.add}
					</Link>
				)
			}
		>
			<Card label={t.list}>
				<LoadedItems label={t.list} query={query} of={({ organizations }) => organizations} empty={<p>{t.none}</p>}>
					{(one) => (
						<Item
							key={one.id}
							title={
								<Link to="/organizations/$slug" params={{ slug: one.slug }}>
									{one.name}
								</Link>
							}
							facts={`${t.counts(one.site_count, one.member_count)} · ${t.planOf(one.plan_tier)}`}
							state={
								one.is_active
									? one.user_role === null
										? undefined
										: { text: t.roles[one.user_role], tone: "muted" }
									: { text: t.inactive, tone: "warn" }
							}
						/>
					)}
				</LoadedItems>
			</Card>
		</OuterFrame>
	);
}
