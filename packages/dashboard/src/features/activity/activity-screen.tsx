import { Card } from "../../ui/card/card.tsx";
import { ScreenHead, useSite } from "../site/index.ts";
import { ActivityLog } from "./activity-log.tsx";
import { t } from "./texts.ts";

/** Activity log of one site. */
export function ActivityScreen() {
	const { id, role } = useSite();
	const seesAll = role === "admin" || role === "owner";
	return (
		<>
			<ScreenHead title={t.title} />
			{!seesAll && <p className="muted">{t.ownOnly}</p>}
			<Card label={t.log}>
				<ActivityLog siteId={id} />
			</Card>
		</>
	);
}
