import type { Metadata } from "../../../../platform/metadata/metadata.ts";
import type { LensDeps, LensSite } from "../deps.ts";
import { type Found, noteFindings } from "../insights/note-findings.ts";
import { judge } from "../rules/judge.ts";
import { readFigures, weeksBefore } from "../rules/read-figures.ts";

const daysOf = ({ start, end }: { readonly start: Temporal.PlainDate; readonly end: Temporal.PlainDate }) => ({
	start: start.toString(),
	end: end.toString(),
});

/** Findings about a site as of the morning of a day. */
async function look(deps: LensDeps, site: LensSite, day: Temporal.PlainDate): Promise<Found> {
	const figures = await readFigures(deps, site, day);
	const { now, before } = weeksBefore(day);
	return {
		siteId: site.id,
		findings: figures === undefined ? [] : judge(figures),
		days: { now: daysOf(now), before: daysOf(before) },
		nowMs: deps.clock.now(),
	};
}

/** Looks at a site and notes what was found; `then` gets the new insights in the same transaction, and may throw. */
export async function analyse(
	deps: LensDeps,
	site: LensSite,
	day: Temporal.PlainDate,
	{
		isWanted,
		follow,
	}: { isWanted(trx: Metadata): Promise<boolean>; follow(trx: Metadata, ids: readonly string[]): Promise<void> },
): Promise<void> {
	const found = await look(deps, site, day);
	await deps.metadata.transaction().execute(async (trx) => {
		if (await isWanted(trx)) await follow(trx, await noteFindings(trx, found));
	});
}
