import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { isPaidHere } from "../../api/boot.ts";
import { asFailure } from "../../lib/failure.ts";
import { Card } from "../../ui/card/card.tsx";
import { Loaded } from "../../ui/loaded/loaded.tsx";
import { OuterFrame } from "../account/index.ts";
import { type Organization, organizationQuery, roleOf } from "../organizations/index.ts";
import { actingQuery, meQuery } from "../site/index.ts";
import { AccountingCard } from "./accounting-card.tsx";
import styles from "./billing.module.css";
import { ChangesCard } from "./changes-card.tsx";
import { InvoicesCard } from "./invoices-card.tsx";
import { MonthsCard } from "./months-card.tsx";
import { OverageCard } from "./overage-card.tsx";
import { PlansCard } from "./plans-card.tsx";
import { SubscriptionCard } from "./subscription-card.tsx";
import { t } from "./texts.ts";
import { UsageCard } from "./usage-card.tsx";

/** Plan, usage and payments of an organization. */
export function BillingScreen() {
	const { slug } = useParams({ strict: false }) as { slug: string };
	const query = useQuery({
		...organizationQuery(slug),
		// There is none, or it is not the reader's: asking again changes nothing.
		retry: (count, error) => asFailure(error).status !== 404 && count < 2,
	});
	return (
		<OuterFrame
			title={isPaidHere ? t.title : t.usageTitle}
			actions={
				<Link to="/organizations/$slug" params={{ slug }}>
					{query.data?.name ?? t.organization}
				</Link>
			}
		>
			<Loaded query={query}>{(organization) => <Allowed organization={organization} />}</Loaded>
		</OuterFrame>
	);
}

/** The parts, for owners who are there themselves. */
function Allowed({ organization }: { readonly organization: Organization }) {
	const { data: me } = useSuspenseQuery(meQuery);
	const acting = useQuery(actingQuery);
	if (roleOf(organization, me.role) !== "owner") return <Card>{t.ownersOnly}</Card>;
	return (
		<Loaded query={acting}>
			{({ is_impersonating: isActing }) =>
				isActing ? (
					<Card>{t.notWhileActing}</Card>
				) : (
					<Parts organization={organization} isSuperadmin={me.role === "superadmin"} />
				)
			}
		</Loaded>
	);
}

interface PartsProps {
	readonly organization: Organization;
	readonly isSuperadmin: boolean;
}

const Parts = ({ organization, isSuperadmin }: PartsProps) => (
	<div className={styles.stack}>
		<div className={styles.two}>
			<SubscriptionCard organization={organization} isSuperadmin={isSuperadmin} />
			<UsageCard organization={organization} />
		</div>
		<div className={styles.two}>
			<MonthsCard organization={organization} />
			<OverageCard organization={organization} />
		</div>
		{isPaidHere && (
			<>
				<PlansCard organization={organization} />
				<InvoicesCard organization={organization} />
				<AccountingCard organization={organization} />
			</>
		)}
		<ChangesCard organization={organization} />
	</div>
);
