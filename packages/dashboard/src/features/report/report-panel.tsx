import { Suspense } from "react";
import { DefinitionDrawer } from "../definitions/index.ts";
import { useSiteSearch } from "../site/index.ts";
import { ListDrawer } from "./list-drawer.tsx";
import { listOf } from "./lists.ts";

const definition = "definition:";

/** What the address opens above the report: all rows of a list, or the definition of a metric. */
export function ReportPanel() {
	const { panel } = useSiteSearch();
	if (panel?.startsWith(definition)) {
		return (
			<Suspense>
				<DefinitionDrawer metric={panel.slice(definition.length)} />
			</Suspense>
		);
	}
	const list = listOf(panel);
	return list && <ListDrawer key={list.key} list={list} />;
}
