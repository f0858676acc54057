import { Card } from "../../ui/card/card.tsx";
import { ActivityLog } from "../activity/index.ts";
import styles from "./organizations.module.css";
import type { Organization } from "./queries.ts";
import { t } from "./texts.ts";

interface ActivityCardProps {
	readonly organization: Organization;
}

/** Changes in the organization and on its sites. */
export function ActivityCard({ organization: { slug, plan_tier: plan, plan_features: has } }: ActivityCardProps) {
	const hasLog = has.includes("audit");
	return (
		<Card title={t.activity}>
			<p className={styles.muted}>{hasLog ? t.activityText : t.noLog(plan)}</p>
			{hasLog && <ActivityLog organization={slug} />}
		</Card>
	);
}
