import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { isPaidHere } from "../../api/boot.ts";
import { count } from "../../lib/format.ts";
import { Card } from "../../ui/card/card.tsx";
import { actingQuery } from "../site/index.ts";
import styles from "./organizations.module.css";
import type { Organization, OrgRole } from "./queries.ts";
import { t } from "./texts.ts";

interface PlanCardProps {
	readonly organization: Organization;
	readonly role: OrgRole;
}

/** Limits of the plan and their usage. */
export function PlanCard({ organization, role }: PlanCardProps) {
	const { data: acting } = useQuery(actingQuery);
	// Billing is closed while impersonating.
	const mayBill = role === "owner" && acting?.is_impersonating === false;
	const { plan_tier: tier, plan_limits: limits, plan_features: features } = organization;
	const used = { seats: organization.member_count, sites: organization.site_count };
	const told = (name: keyof typeof limits): string => {
		const limit = limits[name];
		const most = limit === null ? t.unlimited : count(limit);
		if (name !== "seats" && name !== "sites") return most;
		return limit === null ? `${count(used[name])}, ${most}` : t.ofLimit(count(used[name]), most);
	};
	// Without payments this plan has no limits, and no name that says anything to its users.
	if (!isPaidHere && tier === "enterprise") return null;
	const names = features.map((feature) => t.features[feature as keyof typeof t.features] ?? feature);
	return (
		<Card
			title={`${t.plan}: ${tier}`}
			actions={
				mayBill && (
					<Link to="/organizations/$slug/billing" params={{ slug: organization.slug }}>
						{isPaidHere ? t.billing : t.usage}
					</Link>
				)
			}
		>
			<dl className={styles.limits}>
				{(Object.keys(t.limits) as (keyof typeof limits)[]).map((name) => (
					<Limit key={name} label={t.limits[name]} value={told(name)} />
				))}
				{names.length > 0 && <Limit label={t.has} value={names.join(", ")} />}
			</dl>
		</Card>
	);
}

const Limit = ({ label, value }: { readonly label: string; readonly value: string }) => (
	<>
		<dt>{label}</dt>
		<dd>{value}</dd>
	</>
);
