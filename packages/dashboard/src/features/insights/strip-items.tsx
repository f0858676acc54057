import { Items } from "../../ui/items/items.tsx";
import { InsightItem } from "./insight-item.tsx";
import type { Insight } from "./insights-query.ts";
import { t } from "./strip-texts.ts";

/** Panel of the insights line. */
export const StripItems = ({ insights }: { readonly insights: readonly Insight[] }) => (
	<Items label={t.strip}>
		{insights.map((insight) => (
			<InsightItem key={insight.id} insight={insight} />
		))}
	</Items>
);
