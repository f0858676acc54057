import { isShared } from "../../api/shared.ts";
import { InsightsStrip } from "../insights/index.ts";
import { HonestyFoot } from "./honesty-foot.tsx";
import { ListCards } from "./list-cards.tsx";

/** Everything below the chart, in a chunk of its own, so that the first figures do not wait for it. */
export const LowerReport = () => (
	<>
		{!isShared && <InsightsStrip />}
		<ListCards />
		{!isShared && <HonestyFoot />}
	</>
);
