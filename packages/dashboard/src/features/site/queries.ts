import { keepPreviousData, queryOptions, useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ask, type Report, type ReportInput } from "../../api/batch.ts";
import { type Answer, call } from "../../api/client.ts";
import { read } from "../../api/read.ts";
import { type SharedReport, sharedReport } from "../../api/shared.ts";
import { keepDraftsOf } from "../../lib/draft-owner.ts";

/** Whether the reader acts as somebody else. */
export const actingQuery = queryOptions({ ...read("GET /auth/impersonation-status"), staleTime: 60_000 });

declare module "@tanstack/react-query" {
	interface Register {
		/** `isUnseen`: see {@link report}; `isAhead`: a prefetch. */
		queryMeta: { readonly isUnseen?: () => boolean; readonly isAhead?: boolean };
	}
}

/** A site as the caller sees it. */
export type Site = Answer<"GET /sites">["sites"][number];

/** All sites that the reader may see, those that rest too. */
export const sitesQuery = queryOptions({
	queryKey: ["GET /sites"],
	queryFn: ({ signal }) => {
		const shared = sharedReport();
		return shared === undefined ? call("GET /sites", { query: { include_inactive: true }, signal }) : siteOf(shared);
	},
	staleTime: 60_000,
});

/** Details of one site: its organization and the features of its plan. */
export const siteQuery = (id: string) =>
	queryOptions({ ...read("GET /sites/{id}", { path: { id } }), staleTime: 60_000 });

/** The one site of a shared link. Of its settings it has those that reports need; the rest has no place on their screens. */
function siteOf({ site }: SharedReport): Answer<"GET /sites"> {
	const unseen = { domains: [], goals: [], is_active: true, is_new: false, bot_threshold: 100 };
	const needed: Partial<Site> = { ...unseen, role: "viewer" };
	return { sites: [{ ...site, ...needed } as Site], total: 1, ip_filtered_accounts: [] };
}

/** The current user. */
export const meQuery = queryOptions({
	queryKey: ["GET /auth/me"],
	queryFn: async ({ signal }) => {
		const me = await call("GET /auth/me", { signal });
		keepDraftsOf(me.id);
		return me;
	},
	staleTime: 300_000,
});

/**
 * A report as a query: queries made together leave as one batch, and old figures stay until new ones arrive. Those of
 * hidden parts are sent after the others.
 */
export const report = <R extends Report>(route: R, input: ReportInput<R>, isUnseen?: () => boolean) =>
	queryOptions<Answer<R>>({
		queryKey: [route, input],
		queryFn: ({ signal }) => ask(route, input, signal, isUnseen?.()),
		placeholderData: keepPreviousData,
		...(isUnseen && { meta: { isUnseen } }),
	});

/** A report of the screen. */
export const useReport = <R extends Report>(route: R, input: ReportInput<R>, enabled = true) =>
	useQuery({ ...report(route, input), enabled });

/** The sites that count, and one more, where the reader is. */
export function useSites(here?: string): readonly Site[] {
	const { data } = useSuspenseQuery(sitesQuery);
	return data.sites.filter(({ id, is_active: isActive }) => isActive || id === here);
}

/** True when the reader is an admin of the organization of the screen's site; undefined until that is known. */
export function useLeadsOrganization(): boolean | undefined {
	const { data } = useQuery(siteQuery(useSite().id));
	return data && (data.organization_role === "admin" || data.organization_role === "owner");
}

/** The site of the screen; the frame has loaded it before any screen is drawn. */
export function useSite(): Site {
	const { id = sharedReport()?.site.id } = useParams({ strict: false }) as { id?: string };
	const { data } = useSuspenseQuery(sitesQuery);
	const site = data.sites.find((one) => one.id === id);
	if (site === undefined) throw new Error(`No site ${id}`);
	return site;
}
