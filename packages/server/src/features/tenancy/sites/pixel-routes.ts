import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Nullable, Timestamp } from "../../../platform/http/schemas.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { checkPage, PageCheckAnswer } from "./page-check/check-page.ts";
import { readingSite, writingSite } from "./schemas.ts";

const Pixel = Type.Object({
	account_id: Type.String(),
	site_id: Type.String(),
	script_tag: Type.String(),
	tracker_url: Type.String(),
	instructions: Type.String(),
});
const PixelStatus = Type.Object({
	account_id: Type.String(),
	site_id: Type.String(),
	installed: Type.Boolean({ description: "A hit was accepted in the last 14 days" }),
	first_hit_at: Nullable(Timestamp()),
	last_hit_at: Nullable(Timestamp()),
	total_hits: Type.Integer({ description: "In the last 14 days" }),
	script_requests: Type.Integer({
		description:
			"Requests for `/t.js` of the site since the service started; browsers cache it for an hour. With several processes: in the last fourteen days, at most five seconds late",
	}),
	last_script_request_at: Nullable(Timestamp()),
});
const Rejections = Type.Object({
	account_id: Type.String(),
	window_minutes: Type.Integer(),
	available: Type.Boolean(),
	accepted: Type.Integer(),
	rejected: Type.Integer(),
	reasons: Type.Array(
		Type.Object({
			reason: Type.String(),
			count: Type.Integer(),
			counted: Type.Optional(
				Type.Literal(true, { description: "These hits were accepted; conversions count with amount 0" }),
			),
			origins: Type.Array(Type.Object({ origin: Type.String(), count: Type.Integer() })),
		}),
	),
});

/** Page checks are limited, as the service sends them on behalf of users. */
const checkLimits: readonly RouteLimit[] = [
	{ name: "page-check-site", max: 10, windowMs: MINUTE_MS, by: (request) => request.site.id },
	{ name: "page-check-user", max: 20, windowMs: MINUTE_MS, by: (request) => String(request.caller.userId) },
];

export function registerPixel(app: App, deps: SiteRouteDeps): void {
	const rootUrlOf = ({ protocol, host }: Pick<FastifyRequest, "protocol" | "host">) =>
		deps.publicUrl ?? `${protocol}://${host}`;
	addRoute(app, "GET /sites/:id/pixel", {
		...readingSite,
		summary: "Tracking snippet",
		data: Pixel,
		handler: (request) => presentPixel(request.site.id, rootUrlOf(request)),
	});
	addRoute(app, "GET /sites/:id/pixel/status", {
		...readingSite,
		summary: "Whether the snippet is installed",
		data: PixelStatus,
		handler: async ({ site: { id } }) => {
			const { recentHits, firstHitAt, lastHitAt } = await deps.activity(id);
			const script = await deps.scriptRequests(id);
			return {
				account_id: id,
				site_id: id,
				installed: recentHits > 0,
				first_hit_at: timestampOrNull(firstHitAt),
				last_hit_at: timestampOrNull(lastHitAt),
				total_hits: recentHits,
				script_requests: script?.count ?? 0,
				last_script_request_at: timestampOrNull(script?.lastAt ?? null),
			};
		},
	});
	addRoute(app, "GET /sites/:id/pixel/rejections", {
		...readingSite,
		summary: "Rejected hits, by reason",
		querystring: Type.Object({ minutes: Type.Integer({ minimum: 1, maximum: 1440, default: 60 }) }),
		data: Rejections,
		handler: async ({ site: { id }, query: { minutes } }) => {
			const counted = await deps.rejections(id);
			const { accepted, rejected, reasons } = counted?.(minutes) ?? { accepted: 0, rejected: 0, reasons: [] };
			return {
				account_id: id,
				window_minutes: minutes,
				available: counted !== undefined,
				accepted,
				rejected,
				reasons: reasons.map(({ origins, ...reason }) => ({ ...reason, origins: [...origins] })),
			};
		},
	});
	addRoute(app, "POST /sites/:id/pixel/check", {
		...writingSite("editor"),
		summary: "Check whether a page has the snippet and allows it to work",
		description:
			"Reads the page (1 MB, 10 seconds, no redirects, no scripts). A tracker added by another script is not found. The limits are those of the site and of the user.",
		body: Type.Object({
			url: Type.String({ minLength: 1, maxLength: 2048, description: "URL of the page: https, on a public address" }),
		}),
		limit: checkLimits,
		data: PageCheckAnswer,
		handler: (request) => {
			const { id } = request.site;
			return checkPage(deps, request.body.url, { siteId: id, trackerUrl: trackerUrlOf(id, rootUrlOf(request)) });
		},
	});
}

const trackerUrlOf = (siteId: string, rootUrl: string): string => `${rootUrl}/t.js?id=${siteId}`;

/** The tracking snippet of a site. */
export function presentPixel(siteId: string, rootUrl: string) {
	const trackerUrl = trackerUrlOf(siteId, rootUrl);
	return {
		account_id: siteId,
		site_id: siteId,
		script_tag: scriptTag(trackerUrl),
		tracker_url: trackerUrl,
		instructions: "Put the script tag into the <head> of every page. The first visit shows up within seconds.",
	};
}

/**
 * Keeps calls that come before the tracker, and takes those of a page whose tracker is blocked: a hundred at most. Pages hold
 * copies of this text, and content policies its hash: a change of a letter makes them differ.
 */
const CALL_STUB =
	'typeof window.footfall=="function"&&window.footfall.conv||function(q){function f(m){return function(){q[99]||q.push([m,arguments])}}var s=window.footfall=f("pv");s.conv=f("cv");s.micro=f("mc");s.q=q}([])';

/** HTML of the tracker on a page: the call stub, and the script at `trackerUrl`. */
export const scriptTag = (trackerUrl: string): string =>
	`<script>${CALL_STUB}</script><script src="${trackerUrl}" defer></script>`;
