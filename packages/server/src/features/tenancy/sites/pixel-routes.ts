import type { FastifyRequest } from "fastify";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { SiteRouteDeps } from "./deps.ts";
import { readingSite } from "./guards.ts";
import { presentPixel, presentPixelStatus, presentRejections } from "./present.ts";
import { Pixel, PixelStatus, Rejections, RejectionsQuery, SiteParams } from "./schemas.ts";

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
		handler: async (request) => success(presentPixelStatus(request.site.id, await deps.activity(request.site.id))),
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
			return success(presentRejections(request.site.id, minutes, deps.rejections(request.site.id, minutes)));
		},
	});
}

const ownAddress = (request: FastifyRequest): string => `${request.protocol}://${request.host}`;
