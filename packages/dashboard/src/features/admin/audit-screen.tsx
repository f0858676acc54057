import { Card } from "../../ui/card/card.tsx";
import { ActivityLog } from "../activity/index.ts";
import { AdminFrame } from "./admin-frame.tsx";

/** Everything that happened on the installation. */
export function AuditScreen() {
	return (
		<AdminFrame screen="audit">
			<Card>
				<ActivityLog />
			</Card>
		</AdminFrame>
	);
}
