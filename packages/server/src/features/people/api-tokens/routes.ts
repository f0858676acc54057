import type { FastifyRequest } from "fastify";
import { type Guard, keyScopes, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { actorOf } from "../../auditing/audit-log/index.ts";
import { createToken } from "./create-token.ts";
import { presentToken } from "./present.ts";
import { revokeToken } from "./revoke-token.ts";
import { CreatedToken, CreateTokenBody, ListQuery, ScopeList, Token, TokenList, TokenParams } from "./schemas.ts";
import { scopeDescriptions } from "./scopes.ts";
import { findToken, listTokens, type TokenRow } from "./store.ts";

interface ApiTokenDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
}

const tags = ["API tokens"];
const reading: Guard = { kind: "principal", scope: "accounts:read", impersonation: "refused" };
const writing: Guard = { kind: "session", scope: "write", impersonation: "refused" };

/** Revoked ones are kept for a year. */
const creating: RouteLimit = {
	name: "api-token",
	max: 60,
	windowMs: HOUR_MS,
	by: ({ caller }) => String(caller.userId),
};

/** Routes on the caller's own API tokens. */
export function registerApiTokens(app: App, deps: ApiTokenDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
}

type Asking = Pick<FastifyRequest, "caller" | "isSiteOpenHere">;

/** The caller's own tokens as they look from where the caller is. */
async function present(deps: ApiTokenDeps, request: Asking, rows: readonly TokenRow[]) {
	const sites = await reachableSitesOf(deps.metadata, request.caller);
	const reach = sites.filter(({ id }) => request.isSiteOpenHere(id));
	return rows.map((row) => presentToken(row, reach, deps.clock.now()));
}

async function reachOf({ metadata }: ApiTokenDeps, { caller }: Asking): Promise<string[]> {
	return (await reachableSitesOf(metadata, caller)).map(({ id }) => id);
}

async function presentOne(deps: ApiTokenDeps, request: Asking, row: TokenRow) {
	const [token] = await present(deps, request, [row]);
	if (token === undefined) throw new Error("a token was presented as none");
	return token;
}

function registerReads(app: App, deps: ApiTokenDeps): void {
	app.route({
		method: "GET",
		url: "/api-tokens/scopes",
		schema: { tags, summary: "Scopes that the caller may grant", response: { 200: Success(ScopeList) } },
		config: { guard: reading },
		handler: async ({ caller }) => {
			const grantable = caller.kind === "session" ? keyScopes : caller.kind === "key" ? caller.scopes : [];
			return success({ scopes: grantable.map((id) => ({ id, ...scopeDescriptions[id] })) });
		},
	});
	app.route({
		method: "GET",
		url: "/api-tokens",
		schema: { tags, summary: "The caller's tokens", querystring: ListQuery, response: { 200: Success(TokenList) } },
		config: { guard: reading },
		handler: async (request) => {
			const { userId } = request.caller;
			const filter = { includeInactive: request.query.include_inactive, nowMs: deps.clock.now() };
			const tokens = await present(deps, request, await listTokens(deps.metadata, userId, filter));
			return success({ tokens, total: tokens.length });
		},
	});
	app.route({
		method: "GET",
		url: "/api-tokens/:token_id",
		schema: { tags, summary: "One token", params: TokenParams, response: { 200: Success(Token) } },
		config: { guard: reading },
		handler: async (request) => {
			const row = await findToken(deps.metadata, request.caller.userId, request.params.token_id);
			if (row === undefined) throw new ServiceError("not_found", { message: "API token not found" });
			return success(await presentOne(deps, request, row));
		},
	});
}

function registerWrites(app: App, deps: ApiTokenDeps): void {
	app.route({
		method: "POST",
		url: "/api-tokens",
		schema: {
			tags,
			summary: "Create a token; its value is shown only in this answer",
			body: CreateTokenBody,
			response: { 201: Success(CreatedToken), ...errorAnswers("conflict") },
		},
		config: { guard: writing, limit: [creating] },
		handler: async (request, reply) => {
			const { name, scopes, account_ids: siteIds = null, expires_in_days: expiresInDays = null } = request.body;
			// A key for all sites opens those with a list, too, and need not be held to it.
			await request.refuseShutSites(siteIds ?? (await reachOf(deps, request)));
			const input = { name, scopes, siteIds, expiresInDays };
			const { row, value } = await createToken(deps, { userId: request.caller.userId, actor: actorOf(request) }, input);
			reply.code(201).header("cache-control", "no-store");
			return reply.send(success({ ...(await presentOne(deps, request, row)), token: value }));
		},
	});
	app.route({
		method: "DELETE",
		url: "/api-tokens/:token_id",
		schema: { tags, summary: "Revoke a token", params: TokenParams, response: { 200: Success(Token) } },
		config: { guard: writing },
		handler: async (request) => {
			const row = await revokeToken(
				deps,
				{ userId: request.caller.userId, actor: actorOf(request) },
				request.params.token_id,
			);
			return success(await presentOne(deps, request, row));
		},
	});
}
