import { useQueries, useQuery } from "@tanstack/react-query";
import { useNavigate, useParams, useRouterState } from "@tanstack/react-router";
import { may } from "../../api/may.ts";
import { todayIn } from "../../lib/days.ts";
import { useRested } from "../../lib/use-rested.ts";
import { periodTexts, useAllTime } from "../period/index.ts";
import { type List, type ListKey, listKeys, listQuery, lists, readList, shownValue, wordsOf } from "../report/index.ts";
import { settingsScreens } from "../settings/index.ts";
import {
	changed,
	dimensionLabels,
	isChosen,
	periods,
	readSearch,
	reportQuery,
	type SearchChange,
	shared,
	siteQuery,
	siteScreens,
	useSiteSearch,
	useSites,
	withValue,
} from "../site/index.ts";
import { open } from "./open.ts";
import { t } from "./texts.ts";
import { type Candidate, meaningsOf, readWish } from "./wishes.ts";

/** Lists of few values: they are asked once, whatever is typed. */
const short: readonly ListKey[] = ["devices", "countries", "channels", "mediums", "browsers", "systems"];
/** Lists of many: the service searches them. */
const long: readonly ListKey[] = ["sources", "campaigns", "referrers", "pages"];
/** How many values of a long list one word may find. */
const most = 5;
/** How long typing rests before it is asked for. */
const restMs = 120;
const shortest = 2;

const read = (list: List, answer: unknown): readonly Candidate[] =>
	readList(list, answer).rows.flatMap(({ value, figures }) =>
		list.field === undefined || value === ""
			? []
			: [{ field: list.field, value, shown: shownValue(list, value), weight: figures[list.sorts[0]] ?? 0 }],
	);

/** Values of the site that may be what the words say. Requests without a waiting caller are aborted. */
function useValues(site: string | undefined, typed: readonly string[]) {
	const { segment: _, ...search } = useSiteSearch();
	const words = useRested(typed.join(" "), restMs)
		.split(" ")
		.filter((word) => word.length >= shortest);
	const asked = reportQuery(site ?? "", { ...search, f: [] });
	// The short ones are on their way with the first letter.
	const isWanted = site !== undefined && typed.length > 0;
	const question = (key: ListKey, choice: { readonly search: string; readonly size: number }) => {
		const list = lists[key];
		const { placeholderData: __, ...query } = listQuery(list, asked, {
			sort: list.sorts[0],
			isRising: false,
			page: 1,
			...choice,
		});
		return { ...query, enabled: isWanted, staleTime: 300_000, select: (answer: unknown) => read(list, answer) };
	};
	return useQueries({
		queries: [
			...short.map((key) => question(key, { search: "", size: 100 })),
			...words.flatMap((word) => long.map((key) => question(key, { search: word, size: most }))),
		],
		combine: (answers) => ({
			candidates: answers.flatMap(({ data }) => data ?? []),
			isAsking: isWanted && answers.some(({ isFetching }) => isFetching),
		}),
	});
}

const { periods: names } = periodTexts;

/** Something that one can go to. */
export interface Item {
	readonly id: string;
	readonly group: string;
	readonly label: string;
	readonly hint?: string;
	readonly words?: string;
	readonly run: () => void;
}

/** “Last 7 days” is asked for by “7 days” and “7d” too. */
const namedPeriods = periods.map((period) => ({
	period,
	names: [names[period], names[period].replace(/^\D+(?=\d)/, ""), period],
}));

/** Filters that are offered at once. */
const mostMeanings = 6;

/** All that the search finds here: on a screen of a site also its other screens and periods. */
export function useItems(): readonly Item[] {
	const { id } = useParams({ strict: false }) as { id?: string };
	const sites = useSites();
	const navigate = useNavigate();
	const here = useSiteItems(id);
	return [
		...here,
		...sites
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
		{ id: "account", group: t.more, label: t.account, run: () => void navigate({ to: "/account" }) },
		{ id: "organizations", group: t.more, label: t.organizations, run: () => void navigate({ to: "/organizations" }) },
		{ id: "developers", group: t.more, label: t.developers, run: () => void navigate({ to: "/developers" }) },
		{ id: "guides", group: t.more, label: t.guides, run: () => window.open("/help", "_blank", "noopener") },
		{ id: "docs", group: t.more, label: t.reference, run: () => window.open("/docs", "_blank", "noopener") },
		{ id: "help", group: t.more, label: t.keys, hint: "?", run: () => open("help") },
	];
}

/** Filters and a period that are named by what is typed, as things to go to. */
export function useFilterItems(typed: string): { readonly items: readonly Item[]; readonly isAsking: boolean } {
	const { id } = useParams({ strict: false }) as { id?: string };
	const search = useSiteSearch();
	const goTo = useGoTo(id);
	const { words, period } = readWish(typed, namedPeriods);
	const { candidates, isAsking } = useValues(id, words);
	const items = meaningsOf(words, candidates, mostMeanings).map((values): Item => {
		const f = values.reduce(
			(filters, { field, value }) => (isChosen(filters, field, value) ? filters : withValue(filters, field, value)),
			search.f,
		);
		const named = values.map(({ field, shown }) => `${dimensionLabels[field]}: ${shown}`);
		return {
			id: `filter ${values.map(({ field, value }) => `${field}:${value}`).join(" ")}`,
			group: t.filters,
			label: [...named, ...(period ? [names[period]] : [])].join(" · "),
			run: () => goTo({ f, ...(period && { period, from: undefined, to: undefined }) }),
		};
	});
	return { items, isAsking };
}

/** Goes to what one looks at with a change: on this screen where it has a period, else in the report. */
function useGoTo(id: string | undefined): (change: SearchChange) => void {
	const search = useSiteSearch();
	const navigate = useNavigate();
	const path = useRouterState({ select: ({ location }) => location.pathname });
	return (change) => {
		if (!/\/(live|settings)/.test(path)) void navigate({ to: ".", search: changed(search, change) });
		else void navigate({ to: "/sites/$id", params: { id: id ?? "" }, search: changed(search, change) });
	};
}

function useSiteItems(id: string | undefined): readonly Item[] {
	const search = useSiteSearch();
	const navigate = useNavigate();
	const goTo = useGoTo(id);
	const settings = useSettings(id);
	const { timezone = "UTC" } = useSites(id).find((site) => site.id === id) ?? {};
	const { name, since = "", change } = useAllTime(id, todayIn(timezone));
	if (id === undefined) return [];
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
			label: names[period],
			run: () => goTo({ period, from: undefined, to: undefined }),
		})),
		...(change === undefined
			? []
			: [{ id: "period all", group: t.periods, label: name, hint: since, words: names.all, run: () => goTo(change) }]),
		...settings,
		...listKeys.map((panel) => ({
			id: `list ${panel}`,
			group: t.lists,
			label: wordsOf(lists[panel]).title,
			run: () =>
				void navigate({
					to: "/sites/$id",
					params: { id },
					search: changed(readSearch({}), { ...shared(search), panel }),
				}),
		})),
	];
}

/** Settings of a site that its reader may open, and what is created there. */
function useSettings(id: string | undefined): readonly Item[] {
	const navigate = useNavigate();
	const site = useSites(id).find((one) => one.id === id);
	const { data } = useQuery({ ...siteQuery(id ?? ""), enabled: id !== undefined });
	if (site === undefined) return [];
	const planHas = (feature: string) => data?.plan_features.some((one) => one === feature) ?? true;
	const links = settingsScreens(site.id, { role: site.role, planHas }).flatMap((group) => group.links);
	const invite = (): void => {
		const search = changed(readSearch({}), { panel: "new" });
		void navigate({ to: "/sites/$id/settings/people", params: { id: site.id }, search });
	};
	return [
		...(may("POST /sites/{id}/users", site.role)
			? [{ id: "invite", group: t.settings, label: t.invite, words: t.inviteWords, run: invite }]
			: []),
		...links.map(({ to, label, words = "" }) => ({
			id: `setting ${to}`,
			group: t.settings,
			label,
			words,
			run: () => void navigate({ to }),
		})),
	];
}
