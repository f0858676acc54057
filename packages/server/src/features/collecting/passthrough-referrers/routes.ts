import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import type { AttributionChangeDeps } from "../attribution-settings/index.ts";
import { addReferrer } from "./add-referrer.ts";
import { changeReferrer, referrerNotFound, removeReferrer } from "./change-referrer.ts";
import { parseChanges, parseReferrer } from "./parse.ts";
import { presentReferrer, presentReferrers } from "./present.ts";
import {
	ChangeReferrerBody,
	CreateReferrerBody,
	ListQuery,
	Referrer,
	ReferrerList,
	ReferrerParams,
} from "./schemas.ts";
import { findReferrer, listReferrers } from "./store.ts";

const tags = ["Passthrough referrers"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");
const isTaken = { description: "`duplicate_entry`: the site has this domain already", ...ErrorRef };
const tooMany = { description: "`duplicate_entry`, or `conflict`: the site has 200 already", ...ErrorRef };

/** Routes on the referrers that do not interrupt a session. */
export function registerPassthroughReferrers(app: App, deps: AttributionChangeDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "GET",
		url: "/passthrough-referrers",
		schema: {
			tags,
			summary: "Passthrough referrers",
			querystring: ListQuery,
			response: { 200: Success(ReferrerList) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const rows = await listReferrers(deps.metadata, request.site.id);
			return success(presentReferrers(rows, request.query.include_inactive));
		},
	});
	app.route({
		method: "GET",
		url: "/passthrough-referrers/:referrer_id",
		schema: {
			tags,
			summary: "One passthrough referrer",
			params: ReferrerParams,
			querystring: AccountQuery,
			response: { 200: Success(Referrer) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const row = await findReferrer(deps.metadata, request.site.id, request.params.referrer_id);
			if (row === undefined) throw referrerNotFound();
			return success(presentReferrer(row));
		},
	});
}

function registerWrites(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "POST",
		url: "/passthrough-referrers",
		schema: {
			tags,
			summary: "Let arrivals from a domain keep the attribution of the running session",
			querystring: AccountQuery,
			body: CreateReferrerBody,
			response: { 201: Success(Referrer), 409: tooMany },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const change = { siteId: request.site.id, actor: actorOf(request) };
			const row = await addReferrer(deps, change, parseReferrer(request.body));
			return reply.code(201).send(success(presentReferrer(row)));
		},
	});
	app.route({
		method: "PATCH",
		url: "/passthrough-referrers/:referrer_id",
		schema: {
			tags,
			summary: "Change a passthrough referrer",
			params: ReferrerParams,
			querystring: AccountQuery,
			body: ChangeReferrerBody,
			response: { 200: Success(Referrer), 409: isTaken },
		},
		config: { guard: writing },
		handler: async (request) => {
			const changes = parseChanges(request.body);
			const target = { siteId: request.site.id, actor: actorOf(request), id: request.params.referrer_id };
			return success(presentReferrer(await changeReferrer(deps, target, changes)));
		},
	});
}

function registerRemoval(app: App, deps: AttributionChangeDeps): void {
	app.route({
		method: "DELETE",
		url: "/passthrough-referrers/:referrer_id",
		schema: {
			tags,
			summary: "Remove a passthrough referrer",
			params: ReferrerParams,
			querystring: AccountQuery,
			response: { 204: Type.Null({ description: "Removed" }) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			await removeReferrer(deps, { siteId: request.site.id, actor: actorOf(request), id: request.params.referrer_id });
			return reply.code(204).send(null);
		},
	});
}
