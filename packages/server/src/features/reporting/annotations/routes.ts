import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { given } from "../../../platform/lib/given.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import {
	type AnnotationDeps,
	addAnnotation,
	changeAnnotation,
	getAnnotation,
	removeAnnotation,
} from "./change-annotations.ts";
import { presentAnnotation } from "./present.ts";
import { Annotation, AnnotationParams, ChangeAnnotationBody, CreateAnnotationBody, ListQuery } from "./schemas.ts";
import { listAnnotations } from "./store.ts";

const tags = ["Annotations"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");
const tooMany = { description: "`conflict`: the site has 1,000 annotations", ...ErrorRef };

/** Routes on what people write beside the figures of a day. */
export function registerAnnotations(app: App, deps: AnnotationDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: AnnotationDeps): void {
	app.route({
		method: "GET",
		url: "/annotations",
		schema: {
			tags,
			summary: "Annotations of a site, in the order of their days",
			querystring: ListQuery,
			response: { 200: Success(Type.Array(Annotation)), ...errorAnswers("bad_request") },
		},
		config: { guard: reading },
		handler: async (request) => {
			const { from_date: from, to_date: to } = request.query;
			if (from !== undefined && to !== undefined && from > to) {
				throw new ServiceError("bad_request", { message: "from_date must not be after to_date" });
			}
			return success((await listAnnotations(deps.metadata, request.site.id, { from, to })).map(presentAnnotation));
		},
	});
	app.route({
		method: "GET",
		url: "/annotations/:id",
		schema: {
			tags,
			summary: "One annotation",
			params: AnnotationParams,
			querystring: AccountQuery,
			response: { 200: Success(Annotation) },
		},
		config: { guard: reading },
		handler: async (request) =>
			success(presentAnnotation(await getAnnotation(deps, request.site.id, request.params.id))),
	});
}

function registerWrites(app: App, deps: AnnotationDeps): void {
	app.route({
		method: "POST",
		url: "/annotations",
		schema: {
			tags,
			summary: "Write something beside the figures of a day",
			querystring: AccountQuery,
			body: CreateAnnotationBody,
			response: { 201: Success(Annotation), 409: tooMany },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { date, hour = null, text, kind } = request.body;
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const row = await addAnnotation(deps, change, { date, hour, text, kind });
			return reply.code(201).send(success(presentAnnotation(row)));
		},
	});
	app.route({
		method: "PATCH",
		url: "/annotations/:id",
		schema: {
			tags,
			summary: "Change an annotation",
			params: AnnotationParams,
			querystring: AccountQuery,
			body: ChangeAnnotationBody,
			response: { 200: Success(Annotation) },
		},
		config: { guard: writing },
		handler: async (request) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const changes = given(request.body, ["date", "hour", "text", "kind"]);
			return success(presentAnnotation(await changeAnnotation(deps, change, request.params.id, changes)));
		},
	});
}

function registerRemoval(app: App, deps: AnnotationDeps): void {
	app.route({
		method: "DELETE",
		url: "/annotations/:id",
		schema: {
			tags,
			summary: "Remove an annotation",
			params: AnnotationParams,
			querystring: AccountQuery,
			response: { 204: Type.Null({ description: "Removed" }) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			await removeAnnotation(deps, { siteId: request.site.id, actor: actorOf(request) }, request.params.id);
			return reply.code(204).send(null);
		},
	});
}
