import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { may } from "../../api/may.ts";
import { asFailure } from "../../lib/failure.ts";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { OuterFrame } from "../account/index.ts";
import { meQuery } from "../site/index.ts";
import { ActivityCard } from "./activity-card.tsx";
import { DeleteCard } from "./delete-card.tsx";
import { InvitationsCard } from "./invitations-card.tsx";
import { MatrixCard } from "./matrix-card.tsx";
import { NameCard } from "./name-card.tsx";
import styles from "./organizations.module.css";
import { PlanCard } from "./plan-card.tsx";
import { type Organization, type OrgRole, organizationQuery, roleOf } from "./queries.ts";
import { SitesCard } from "./sites-card.tsx";
import { t } from "./texts.ts";

/** One organization: members, sites, plan and activity. */
export function OrganizationScreen() {
	const { slug } = useParams({ strict: false }) as { slug: string };
	const query = useQuery({
		...organizationQuery(slug),
		// There is none, or it is not the reader's: asking again changes nothing.
		retry: (count, error) => asFailure(error).status !== 404 && count < 2,
	});
	const { data: me } = useSuspenseQuery(meQuery);
	return (
		<OuterFrame title={query.data?.name ?? t.title} actions={<Link to="/organizations">{t.title}</Link>}>
			<Loaded query={query}>
				{(organization) => <Parts organization={organization} role={roleOf(organization, me.role)} />}
			</Loaded>
		</OuterFrame>
	);
}

function Parts({ organization, role }: { readonly organization: Organization; readonly role: OrgRole }) {
	const { slug } = organization;
	return (
		<div className={styles.stack}>
			<MatrixCard organization={organization} role={role} />
			{may("POST /organizations/{slug}/invitations", role) && <InvitationsCard slug={slug} role={role} />}
			<div className={styles.two}>
				<SitesCard slug={slug} role={role} />
				<PlanCard organization={organization} role={role} />
			</div>
			{may("PATCH /organizations/{slug}", role) && (
				<Card title={t.rename}>
					<NameCard organization={organization} />
				</Card>
			)}
			{role !== "member" && <ActivityCard organization={organization} />}
			{may("DELETE /organizations/{slug}", role) && <DeleteCard organization={organization} />}
		</div>
	);
}
