import { Suspense } from "react";
import { lazily } from "../../lib/lazily.ts";
import { DefinitionDrawer } from "../definitions/index.ts";
import { useSiteSearch } from "../site/index.ts";

const ListPanel = lazily(async () => ({ default: (await import("./list-panel.tsx")).ListPanel }));

const definition = "definition:";

/** The panel in the address: all rows of a list, or the definition of a metric. */
export function ReportPanel() {
	const { panel } = useSiteSearch();
	if (panel === undefined) return null;
	return (
		<Suspense>
			{panel.startsWith(definition) ? (
				<DefinitionDrawer metric={panel.slice(definition.length)} />
			) : (
				<ListPanel name={panel} />
			)}
		</Suspense>
	);
}
