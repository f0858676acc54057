import { type Static, type TProperties, Type } from "typebox";
import { LIVE_MINUTES, LIVE_ROWS } from "../../../analytics/query/reports/live-figures.ts";
import { ErrorRef, Success, Timestamp } from "../../../platform/http/schemas.ts";
import { eventParameters } from "../stats/index.ts";

/** Query of the live figures. */
export const LiveQuery = Type.Object(eventParameters);

/** A validated query of the live figures. */
export type LiveQuery = Static<typeof LiveQuery>;

const ActiveVisits = Type.Integer({ description: "Visits with a hit in the window" });

const list = <Names extends TProperties>(key: Names) =>
	Type.Array(Type.Object({ ...key, active_visits: ActiveVisits }), {
		maxItems: LIVE_ROWS,
		description: "By active visits",
	});

/** Answer of `/stats/live`. */
export const LiveAnswer = Success(
	Type.Object({
		now: Type.Object({
			active_visits: ActiveVisits,
			window_minutes: Type.Integer({ description: "How long after its last hit a visit is active" }),
		}),
		minutes: Type.Array(Type.Object({ at: Timestamp(), page_views: Type.Integer(), entrances: Type.Integer() }), {
			maxItems: LIVE_MINUTES,
			description: "The last 30 minutes with the running one, oldest first",
		}),
		pages: list({
			path: Type.String({ description: "A visit counts on each page that it saw or sent an event from in the window" }),
		}),
		sources: list({ source: Type.String({ description: "`utm_source`" }) }),
		countries: list({ country: Type.String() }),
		devices: list({ device: Type.String() }),
	}),
);

/** Answer of `/stats/live/stream`. */
export const LiveEvents = {
	description:
		"Server-sent events: `now` with `active_visits` when they change, `hits` with a list of hits, `skipped` with the `count` of those that were not told, `end` with the `reason` (`token`, `access`, `unavailable`, `shutdown`)",
	content: { "text/event-stream": { schema: Type.String() } },
};

/** A site that is named twice. */
export const BadSite = { description: "`bad_request`", ...ErrorRef };
