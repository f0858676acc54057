import { Type } from "typebox";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Nullable } from "../../../platform/http/schemas.ts";
import { actorOf, recordAudit } from "../../auditing/audit-log/index.ts";
import { describeGoal, readSiteFacts } from "../../tenancy/sites/index.ts";
import { type CountingDeps, countEarlier, STORED_WITHIN_MS } from "./count-earlier.ts";
import { countAlone, isBeingCounted } from "./store.ts";

const Day = (description: string) => Type.String({ format: "date", description });

const GoalParams = Type.Object({
	id: Type.String({ description: "Site slug" }),
	goal_id: Type.String({ pattern: "^[a-z0-9]{8}$", description: "`id` of one of the site's `goals`" }),
});
const CountBody = Type.Object({
	dry_run: Type.Boolean({ default: false, description: "`true` answers how many visits would be counted" }),
	before: Type.Optional(
		Day("Only days before this one, to continue where another request ended; the site's current day by default"),
	),
});
const Counted = Type.Object({
	goal_id: Type.String(),
	dry_run: Type.Boolean(),
	visits: Type.Integer({ description: "Visits that were counted; of a dry run: that would be" }),
	from: Nullable(Day("First day that was examined: nothing is stored of the days before; null = no day")),
	to: Nullable(Day("Last day: visits of the current day and running ones are not counted")),
	imported_events: Type.Integer({
		description:
			"Imported page views or events of these days that match; they are not counted, as most have no visits and an import can be undone",
	}),
	is_complete: Type.Boolean({
		description: "`false`: time ran out; send the request again with `from` as `before`",
	}),
});

export interface RouteDeps extends CountingDeps {
	/** True once all hits that were accepted before a moment are in the event store. */
	readonly isCaughtUp: (until: number) => Promise<boolean>;
}

/** Counts visits of earlier days that reached a goal of a site. */
export function registerEarlierConversions(app: App, deps: RouteDeps): void {
	const counting = new Set<string>();
	addRoute(app, "POST /sites/:id/goals/:goal_id/count-earlier", {
		tags: ["Sites"],
		summary: "Count earlier visits that reached a goal",
		description:
			"Adds a conversion at the first matching event of each visit that has none of the goal. Safe to repeat; no usage of the plan. Takes at most some ten seconds: see `is_complete`.",
		params: GoalParams,
		body: CountBody,
		guard: { kind: "site", siteFrom: "path", keyScope: null, role: "admin", write: true },
		data: Counted,
		errors: ["not_found", "conflict", "service_unavailable"],
		handler: async (request) => {
			const { id: siteId } = request.site;
			const { dry_run: isDryRun, before } = request.body;
			const site = (await readSiteFacts(deps.metadata, [siteId])).get(siteId);
			const goal = site?.goals.find(({ id }) => id === request.params.goal_id);
			if (site === undefined || goal === undefined) throw new ServiceError("not_found", "Goal not found");
			const run = async () => ({
				...{ goal_id: goal.id, dry_run: isDryRun },
				...(await countEarlier(deps, { site, goal, before, isDryRun })),
			});
			if (isDryRun) return run();
			if (counting.has(siteId)) throw isBeingCounted();
			counting.add(siteId);
			try {
				const now = deps.clock.now();
				if (!(await deps.isCaughtUp(now - STORED_WITHIN_MS))) throw new ServiceError("service_unavailable");
				const details = { goal: describeGoal(goal), ...(before !== undefined && { before }) };
				const entry = { action: "goal.earlier_visits_counted", resourceId: goal.id, siteId, details } as const;
				return await countAlone(deps.metadata, siteId, async () => {
					await recordAudit(deps.metadata, actorOf(request), entry, now);
					return run();
				});
			} finally {
				counting.delete(siteId);
			}
		},
	});
}
