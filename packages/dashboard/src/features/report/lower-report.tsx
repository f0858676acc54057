import { isShared } from "../../api/shared.ts";
import { InsightsStrip } from "../insights/index.ts";
import { HonestyFoot } from "./honesty-foot.tsx";
import { ListCards } from "./list-cards.tsx";

/** What stands below the chart. It is a part of its own, so that the first figures need not wait for it. */
export const LowerReport = () => (
	<>
		{!isShared && <InsightsStrip />}
		<ListCards />
		{!isShared && <HonestyFoot />}
	</>
);
