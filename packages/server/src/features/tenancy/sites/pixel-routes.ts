import type { FastifyRequest } from "fastify";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { readingSite, writingSite } from "./guards.ts";
import { checkPage, PageCheckAnswer } from "./page-check/check-page.ts";
import { presentPixel, presentPixelStatus, presentRejections, trackerUrlOf } from "./present.ts";
import { PageCheckBody, Pixel, PixelStatus, Rejections, RejectionsQuery, SiteParams } from "./schemas.ts";

const tags = ["Sites"];

export function registerPixel(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "GET /sites/:id/pixel", {
		tags,
		summary: "Tracking snippet",
		params: SiteParams,
		guard: readingSite,
		data: Pixel,
		handler: async (request) => presentPixel(request.site.id, deps.publicUrl ?? ownAddress(request)),
	});
	addRoute(app, "GET /sites/:id/pixel/status", {
		tags,
		summary: "Whether the snippet is installed",
		params: SiteParams,
		guard: readingSite,
		data: PixelStatus,
		handler: async (request) => {
			const { id } = request.site;
			return presentPixelStatus(id, await deps.activity(id), await deps.scriptRequests(id));
		},
	});
	addRoute(app, "GET /sites/:id/pixel/rejections", {
		tags,
		summary: "Rejected hits, by reason",
		params: SiteParams,
		querystring: RejectionsQuery,
		guard: readingSite,
		data: Rejections,
		handler: async (request) => {
			const { minutes } = request.query;
			const counted = await deps.rejections(request.site.id);
			return presentRejections(request.site.id, minutes, counted?.(minutes));
		},
	});
	registerPageCheck(app, deps);
}

/** Page checks are limited, as the service sends them on behalf of users. */
const checkLimits: readonly RouteLimit[] = [
	{ name: "page-check-site", max: 10, windowMs: MINUTE_MS, by: (request) => request.site.id },
	{ name: "page-check-user", max: 20, windowMs: MINUTE_MS, by: (request) => String(request.caller.userId) },
];

function registerPageCheck(app: App, deps: SiteRouteDeps): void {
	addRoute(app, "POST /sites/:id/pixel/check", {
		tags,
		summary: "Check whether a page has the snippet and allows it to work",
		description:
			"Reads the page (1 MB, 10 seconds, no redirects, no scripts). A tracker added by another script is not found. The limits are those of the site and of the user.",
		params: SiteParams,
		body: PageCheckBody,
		guard: writingSite("editor"),
		limit: checkLimits,
		data: PageCheckAnswer,
		handler: async (request) => {
			const { id } = request.site;
			const trackerUrl = trackerUrlOf(id, deps.publicUrl ?? ownAddress(request));
			return checkPage(deps, request.body.url, { siteId: id, trackerUrl });
		},
	});
}

const ownAddress = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;
