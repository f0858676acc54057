import { type Guard, keyScopes, reachableSites } from "../../../access/index.ts";
import { ApiError } from "../../../platform/http/api-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
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
const reading: Guard = { kind: "principal", scope: "accounts:read" };
const writing: Guard = { kind: "session", scope: "write" };

/** Routes on the caller's own API tokens. */
export function registerApiTokens(app: App, deps: ApiTokenDeps): void {
	registerReads(app, deps);
	registerWrites(app, deps);
}

async function present(deps: ApiTokenDeps, userId: number, rows: readonly TokenRow[]) {
	const reach = await reachableSites(deps.metadata, userId);
	return rows.map((row) => presentToken(row, reach, deps.clock.now()));
}

async function presentOne(deps: ApiTokenDeps, row: TokenRow) {
	return presentToken(row, await reachableSites(deps.metadata, row.user_id), deps.clock.now());
}

function registerReads(app: App, deps: ApiTokenDeps): void {
	app.route({
		method: "GET",
		url: "/api-tokens/scopes",
		schema: { tags, summary: "Scopes that the caller may grant", response: { 200: Success(ScopeList) } },
		config: { guard: reading },
		handler: async ({ caller }) => {
			const grantable = caller.kind === "key" ? caller.scopes : keyScopes;
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
			const tokens = await present(deps, userId, await listTokens(deps.metadata, userId, filter));
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
			if (row === undefined) throw new ApiError("not_found", { message: "API token not found" });
			return success(await presentOne(deps, row));
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
			response: { 201: Success(CreatedToken) },
		},
		config: { guard: writing },
		handler: async (request, reply) => {
			const { name, scopes, account_ids: siteIds = null, expires_in_days: expiresInDays = null } = request.body;
			const input = { name, scopes, siteIds, expiresInDays };
			const { row, value } = await createToken(deps, request.caller.userId, input);
			reply.code(201).header("cache-control", "no-store");
			return reply.send(success({ ...(await presentOne(deps, row)), token: value }));
		},
	});
	app.route({
		method: "DELETE",
		url: "/api-tokens/:token_id",
		schema: { tags, summary: "Revoke a token", params: TokenParams, response: { 200: Success(Token) } },
		config: { guard: writing },
		handler: async (request) => {
			const row = await revokeToken(deps, request.caller.userId, request.params.token_id);
			return success(await presentOne(deps, row));
		},
	});
}
