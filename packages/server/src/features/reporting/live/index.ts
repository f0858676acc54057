import { type Static, type TProperties, Type } from "typebox";
import { ofHits } from "../../../analytics/query/question/reading.ts";
import { LIVE_MINUTES, LIVE_ROWS } from "../../../analytics/query/reports/live-figures.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success, Timestamp } from "../../../platform/http/schemas.ts";
import {
	errors,
	eventParameters,
	parseConditions,
	readingReports,
	type SharedSite,
	type StatsDeps,
} from "../stats/index.ts";
import { LiveBoard, type LiveChoice } from "./live-board.ts";
import { LiveStreams, presentFigures } from "./live-streams.ts";

const LiveQuery = Type.Object(eventParameters);
type LiveQuery = Static<typeof LiveQuery>;

const ActiveVisits = Type.Integer({ description: "Visits with a hit in the window" });

const list = <Names extends TProperties>(key: Names) =>
	Type.Array(Type.Object({ ...key, active_visits: ActiveVisits }), {
		maxItems: LIVE_ROWS,
		description: "By active visits",
	});

const LiveEvents = {
	description:
		"Server-sent events: `now` with `active_visits` when they change, `hits` with a list of hits, `skipped` with the `count` of omitted hits, `end` with the `reason` (`token`, `access`, `unavailable`, `shutdown`)",
	content: { "text/event-stream": { schema: Type.String() } },
};

/** Dependencies of live figures. The store keeps no answers of them: the next question is another one. */
interface LiveDeps extends StatsDeps {
	/** Calls back when hits of these sites were stored by this process; undefined in one that stores none. */
	readonly whenStored: ((told: (sites: ReadonlySet<string> | "all") => void) => void) | undefined;
}

const tags = ["Stats"];

export function registerLive(app: App, { whenStored, ...deps }: LiveDeps): void {
	const board = new LiveBoard(deps);
	whenStored?.((sites) => board.stored(sites));
	const streams = new LiveStreams(board, deps.clock);
	app.addHook("preClose", async () => streams.close());
	addRoute(app, "GET /stats/live", {
		tags,
		summary: "Visitors and events of a site now",
		description: "Figures are at most one second old and include hits within two seconds.",
		querystring: LiveQuery,
		guard: readingReports,
		answer: Success(
			Type.Object({
				now: Type.Object({
					active_visits: ActiveVisits,
					window_minutes: Type.Integer({ description: "A visit is active for this long after its last hit" }),
				}),
				minutes: Type.Array(Type.Object({ at: Timestamp(), page_views: Type.Integer(), entrances: Type.Integer() }), {
					maxItems: LIVE_MINUTES,
					description: "The last 30 minutes including the current one, oldest first",
				}),
				pages: list({
					path: Type.String({
						description: "A visit counts for each page it viewed or sent an event from in the window",
					}),
				}),
				sources: list({ source: Type.String({ description: "`utm_source`" }) }),
				countries: list({ country: Type.String() }),
				devices: list({ device: Type.String() }),
			}),
		),
		errors,
		handler: async ({ site, query }) => success(presentFigures(await board.read(await choiceOf(deps, site, query)))),
	});
	app.route({
		method: "GET",
		url: "/stats/live/stream",
		// There is no head of something that has no end.
		exposeHeadRoute: false,
		config: { guard: readingReports },
		schema: {
			tags,
			summary: "Visitors and events of a site, as a stream",
			description:
				"At most 5 streams per user at a time. A stream ends with its credential, and when the caller loses access to the site.",
			querystring: LiveQuery,
			response: { 200: LiveEvents, ...errors },
		},
		handler: async (request, reply) => {
			const { caller, site, query } = request;
			const choice = await choiceOf(deps, site, query);
			const body = await streams.open(choice, { caller, checkAgain: () => request.checkAgain() });
			reply.headers({
				"content-type": "text/event-stream; charset=utf-8",
				// Proxies must neither buffer nor compress the lines.
				"cache-control": "no-store, no-transform",
				"x-accel-buffering": "no",
			});
			return reply.send(body);
		},
	});
}

async function choiceOf(
	deps: Pick<LiveDeps, "segments" | "eventStore">,
	site: SharedSite & { readonly organizationId: string },
	query: LiveQuery,
): Promise<LiveChoice> {
	const { id, organizationId } = site;
	return { site: id, organizationId, conditions: await parseConditions(deps, site, query, ofHits) };
}
