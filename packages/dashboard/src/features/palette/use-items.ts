import { useSuspenseQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { changed, readSearch, shared, siteScreens, sitesQuery, useSiteSearch } from "../site/index.ts";
import { open } from "./open.ts";
import { t } from "./texts.ts";

/** Something that one can go to. */
export interface Item {
	readonly id: string;
	readonly group: string;
	readonly label: string;
	readonly hint?: string;
	readonly run: () => void;
}

const periods = [
	"today",
	"yesterday",
	"7d",
	"30d",
	"90d",
	"this_week",
	"this_month",
	"last_month",
	"this_year",
	"12m",
] as const;

/** All that the search finds here: on a screen of a site also its other screens and periods. */
export function useItems(): readonly Item[] {
	const { id } = useParams({ strict: false }) as { id?: string };
	const { data } = useSuspenseQuery(sitesQuery);
	const navigate = useNavigate();
	const here = useSiteItems(id);
	return [
		...here,
		...data.sites
			.filter((site) => site.id !== id)
			.map((site) => ({
				id: `site ${site.id}`,
				group: t.sites,
				label: site.name,
				hint: site.domains[0] ?? site.id,
				run: () => void navigate({ to: "/sites/$id", params: { id: site.id } }),
			})),
		{ id: "sites", group: t.more, label: t.allSites, run: () => void navigate({ to: "/sites" }) },
		{ id: "new", group: t.more, label: t.newSite, run: () => void navigate({ to: "/sites/new" }) },
		{ id: "docs", group: t.more, label: t.reference, run: () => window.open("/docs", "_blank", "noopener") },
		{ id: "help", group: t.more, label: t.keys, hint: "?", run: () => open("help") },
	];
}

function useSiteItems(id: string | undefined): readonly Item[] {
	const search = useSiteSearch();
	const navigate = useNavigate();
	const path = useRouterState({ select: ({ location }) => location.pathname });
	if (id === undefined) return [];
	const hasPeriod = !/\/(live|settings)/.test(path);
	return [
		...siteScreens.map(({ to, label, key }) => ({
			id: `screen ${key}`,
			group: t.screens,
			label,
			hint: `G ${key.toUpperCase()}`,
			run: () => void navigate({ to, params: { id }, search: changed(readSearch({}), shared(search)) }),
		})),
		...periods.map((period) => ({
			id: `period ${period}`,
			group: t.periods,
			label: t.period[period],
			run: () => {
				const change = { period, from: undefined, to: undefined };
				if (hasPeriod) void navigate({ to: ".", search: changed(search, change) });
				else void navigate({ to: "/sites/$id", params: { id }, search: changed(search, change) });
			},
		})),
	];
}
