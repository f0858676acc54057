import { lazy, Suspense } from "react";
import { DefinitionDrawer } from "../definitions/index.ts";
import { useSiteSearch } from "../site/index.ts";
import { listOf } from "./lists.ts";

const ListDrawer = lazy(async () => ({ default: (await import("./list-drawer.tsx")).ListDrawer }));

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
	return (
		list && (
			<Suspense>
				<ListDrawer key={list.key} list={list} />
			</Suspense>
		)
	);
}
