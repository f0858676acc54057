import { Type } from "typebox";
import { AccountQuery, readingAccount, writingAccount } from "../../../access/index.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Success } from "../../../platform/http/schemas.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { addEntry, changeEntry, entryNotFound, removeEntry } from "./change-blocklist.ts";
import type { BlocklistDeps } from "./deps.ts";
import { parseChanges, parseEntry } from "./parse.ts";
import { presentEntries, presentEntry } from "./present.ts";
import { ChangeEntryBody, CreateEntryBody, Entry, EntryList, EntryParams, ListQuery } from "./schemas.ts";
import { findEntry, listEntries } from "./store.ts";

const tags = ["Blocklist"];
const reading = readingAccount("viewer");
const writing = writingAccount("editor");
const isTaken = { description: "`duplicate_entry`: the site has this entry already", ...ErrorRef };
const tooMany = { description: "`duplicate_entry`, or `conflict`: the site has 100 already", ...ErrorRef };

/** Routes on the addresses whose hits a site does not count. */
export function registerBlocklist(app: App, deps: BlocklistDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
	registerRemoval(app, deps);
}

function registerReads(app: App, deps: BlocklistDeps): void {
	app.route({
		method: "GET",
		url: "/blocklist-ips",
		schema: {
			tags,
			summary: "Addresses whose hits are not counted",
			querystring: ListQuery,
			response: { 200: Success(EntryList) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const rows = await listEntries(deps.metadata, request.site.id);
			return success(presentEntries(rows, request.query.include_inactive));
		},
	});
	app.route({
		method: "GET",
		url: "/blocklist-ips/:entry_id",
		schema: {
			tags,
			summary: "One blocklist entry",
			params: EntryParams,
			querystring: AccountQuery,
			response: { 200: Success(Entry) },
		},
		config: { guard: reading },
		handler: async (request) => {
			const row = await findEntry(deps.metadata, request.site.id, request.params.entry_id);
			if (row === undefined) throw entryNotFound();
			return success(presentEntry(row));
		},
	});
}

function registerWrites(app: App, deps: BlocklistDeps): void {
	app.route({
		method: "POST",
		url: "/blocklist-ips",
		schema: {
			tags,
			summary: "Stop counting the hits of an address or range",
			querystring: AccountQuery,
			body: CreateEntryBody,
			response: { 201: Success(Entry), 409: tooMany },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const by = { site: request.site, actor: actorOf(request) };
			return reply.code(201).send(success(presentEntry(await addEntry(deps, by, parseEntry(request.body)))));
		},
	});
	app.route({
		method: "PATCH",
		url: "/blocklist-ips/:entry_id",
		schema: {
			tags,
			summary: "Change a blocklist entry",
			params: EntryParams,
			querystring: AccountQuery,
			body: ChangeEntryBody,
			response: { 200: Success(Entry), 409: isTaken },
		},
		config: { guard: writing },
		handler: async (request) => {
			const by = { site: request.site, actor: actorOf(request) };
			const changes = parseChanges(request.body);
			return success(presentEntry(await changeEntry(deps, by, request.params.entry_id, changes)));
		},
	});
}

function registerRemoval(app: App, deps: BlocklistDeps): void {
	app.route({
		method: "DELETE",
		url: "/blocklist-ips/:entry_id",
		schema: {
			tags,
			summary: "Count the hits of an address again",
			params: EntryParams,
			querystring: AccountQuery,
			response: { 204: Type.Null({ description: "Removed" }) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			await removeEntry(deps, { site: request.site, actor: actorOf(request) }, request.params.entry_id);
			return reply.code(204).send(null);
		},
	});
}
