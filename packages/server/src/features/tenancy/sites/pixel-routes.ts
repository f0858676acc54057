import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Success } from "../../../platform/http/schemas.ts";
import { MINUTE_MS } from "../../../platform/lib/durations.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { readingSite, writingSite } from "./guards.ts";
import { checkPage } from "./page-check/check-page.ts";
import { presentPageCheck, presentPixel, presentPixelStatus, presentRejections, trackerUrlOf } from "./present.ts";
import {
	PageCheckAnswer,
	PageCheckBody,
	Pixel,
	PixelStatus,
	Rejections,
	RejectionsQuery,
	SiteParams,
} from "./schemas.ts";

const tags = ["Sites"];

/** Routes on a site's tracking snippet and on what it sends. */
export function registerPixel(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "GET",
		url: "/sites/:id/pixel",
		schema: { tags, summary: "Tracking snippet", params: SiteParams, response: { 200: Success(Pixel) } },
		config: { guard: readingSite },
		handler: async (request) => success(presentPixel(request.site.id, deps.publicUrl ?? ownAddress(request))),
	});
	app.route({
		method: "GET",
		url: "/sites/:id/pixel/status",
		schema: {
			tags,
			summary: "Whether the snippet is installed",
			params: SiteParams,
			response: { 200: Success(PixelStatus) },
		},
		config: { guard: readingSite },
		handler: async (request) => {
			const { id } = request.site;
			return success(presentPixelStatus(id, await deps.activity(id), await deps.scriptRequests(id)));
		},
	});
	app.route({
		method: "GET",
		url: "/sites/:id/pixel/rejections",
		schema: {
			tags,
			summary: "Hits that were turned away, by reason",
			params: SiteParams,
			querystring: RejectionsQuery,
			response: { 200: Success(Rejections) },
		},
		config: { guard: readingSite },
		handler: async (request) => {
			const { minutes } = request.query;
			const counted = await deps.rejections(request.site.id);
			return success(presentRejections(request.site.id, minutes, counted?.(minutes)));
		},
	});
	registerPageCheck(app, deps);
}

/** Pages are looked at on behalf of a site: by nobody as fast as they like. */
const checkLimits: readonly RouteLimit[] = [
	{ name: "page-check-site", max: 10, windowMs: MINUTE_MS, by: (request) => request.site.id },
	{ name: "page-check-user", max: 20, windowMs: MINUTE_MS, by: (request) => String(request.caller.userId) },
];

function registerPageCheck(app: App, deps: SiteRouteDeps): void {
	app.route({
		method: "POST",
		url: "/sites/:id/pixel/check",
		schema: {
			tags,
			summary: "Whether a page has the snippet, and lets it work",
			description:
				"Reads the page (1 MB, 10 seconds, no redirects, no scripts). A tracker that another script puts in is not seen. The limits are those of the site and of the user.",
			params: SiteParams,
			body: PageCheckBody,
			response: { 200: Success(PageCheckAnswer) },
		},
		config: { guard: writingSite("editor"), limit: checkLimits },
		handler: async (request) => {
			const { id } = request.site;
			const trackerUrl = trackerUrlOf(id, deps.publicUrl ?? ownAddress(request));
			return success(presentPageCheck(await checkPage(deps, request.body.url, { siteId: id, trackerUrl })));
		},
	});
}

const ownAddress = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;
