import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import { type Guard, type KeyScope, keyScopes, type ReachableSite, reachableSitesOf } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import type { RouteLimit } from "../../../platform/http/rate-limit/route-limit.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { timestamp, timestampOrNull } from "../../../platform/lib/timestamp.ts";
import { actorOf, type ChangeDeps } from "../../auditing/audit-log/index.ts";
import { createToken, revokeToken } from "./change-tokens.ts";
import { findToken, listTokens, type TokenRow } from "./store.ts";

const ListQuery = Type.Object({ include_inactive: Type.Boolean({ default: false }) });

const TokenParams = Type.Object({ token_id: Id() });

const CreateTokenBody = Type.Object({
	name: Text(1, 100),
	scopes: Type.Array(OneOf(keyScopes), { minItems: 1, default: ["stats:read"] }),
	account_ids: Type.Optional(
		Nullable(Type.Array(Type.String({ minLength: 1, maxLength: 64 }), { maxItems: 1000 }), {
			description: "Site slugs; null = every site of the owner",
		}),
	),
	expires_in_days: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 365 }), { description: "null = never" })),
});

const token = {
	id: Type.Integer(),
	name: Type.String(),
	token_prefix: Type.String(),
	scopes: Type.Array(OneOf(keyScopes)),
	account_ids: Type.Array(Type.String(), { description: "Slugs of the sites that the key can read now" }),
	all_sites: Type.Boolean(),
	expires_at: Nullable(Timestamp()),
	last_used_at: Nullable(Timestamp(), { description: "Accurate to the minute" }),
	is_active: Type.Boolean(),
	revoked_at: Nullable(Timestamp()),
	created_at: Timestamp(),
};
const Token = Type.Object(token);
const CreatedToken = Type.Object({
	...token,
	token: Type.String({ description: "The token; shown only in this response" }),
});
const TokenList = Type.Object({ tokens: Type.Array(Token), total: Type.Integer() });

const ScopeList = Type.Object({
	scopes: Type.Array(Type.Object({ id: OneOf(keyScopes), name: Type.String(), description: Type.String() })),
});

const scopeDescriptions = {
	"stats:read": { name: "Read statistics", description: "Reports, batch queries and exports of the key's sites" },
	"sites:read": { name: "Read sites", description: "Sites, their domains, UTM mappings and channel rules" },
	"accounts:read": { name: "Read account", description: "The owner's record, organizations, webhooks and API tokens" },
} as const satisfies Record<KeyScope, { name: string; description: string }>;

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

type Asking = Pick<FastifyRequest, "caller" | "isSiteOpenHere">;

/** Presents the caller's own keys: with the sites that are open from where the caller is. */
async function presenterFor({ metadata, clock }: ChangeDeps, request: Asking) {
	const reach = await reachableSitesOf(metadata, request.caller);
	const open = reach.filter(({ id }) => request.isSiteOpenHere(id));
	return (row: TokenRow) => presentToken(row, open, clock.now());
}

export function registerApiTokens(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /api-tokens/scopes", {
		tags,
		summary: "Scopes that the caller may grant",
		guard: reading,
		data: ScopeList,
		handler: async ({ caller }) => {
			const grantable = caller.kind === "session" ? keyScopes : caller.kind === "key" ? caller.scopes : [];
			return { scopes: grantable.map((id) => ({ id, ...scopeDescriptions[id] })) };
		},
	});
	addRoute(app, "GET /api-tokens", {
		tags,
		summary: "The caller's tokens",
		querystring: ListQuery,
		guard: reading,
		data: TokenList,
		handler: async (request) => {
			const { userId } = request.caller;
			const filter = { includeInactive: request.query.include_inactive, nowMs: deps.clock.now() };
			const rows = await listTokens(deps.metadata, userId, filter);
			const tokens = rows.map(await presenterFor(deps, request));
			return { tokens, total: tokens.length };
		},
	});
	addRoute(app, "GET /api-tokens/:token_id", {
		tags,
		summary: "One token",
		params: TokenParams,
		guard: reading,
		data: Token,
		handler: async (request) => {
			const row = await findToken(deps.metadata, request.caller.userId, request.params.token_id);
			if (row === undefined) throw new ServiceError("not_found", { message: "API token not found" });
			return (await presenterFor(deps, request))(row);
		},
	});
	addRoute(app, "POST /api-tokens", {
		tags,
		summary: "Create a token; it is shown only in this response",
		body: CreateTokenBody,
		guard: writing,
		limit: [creating],
		status: 201,
		data: CreatedToken,
		errors: errorAnswers("conflict"),
		handler: async (request, reply) => {
			const { name, scopes, account_ids: siteIds = null, expires_in_days: expiresInDays = null } = request.body;
			const { userId } = request.caller;
			// A key for all sites opens those with a list, too, and need not be held to it.
			const opened = siteIds ?? (await reachableSitesOf(deps.metadata, request.caller)).map(({ id }) => id);
			await request.refuseShutSites(opened);
			const input = { name, scopes, siteIds, expiresInDays };
			const { row, value } = await createToken(deps, { userId, actor: actorOf(request) }, input);
			reply.header("cache-control", "no-store");
			return { ...(await presenterFor(deps, request))(row), token: value };
		},
	});
	addRoute(app, "DELETE /api-tokens/:token_id", {
		tags,
		summary: "Revoke a token",
		params: TokenParams,
		guard: writing,
		data: Token,
		handler: async (request) => {
			const owner = { userId: request.caller.userId, actor: actorOf(request) };
			const row = await revokeToken(deps, owner, request.params.token_id);
			return (await presenterFor(deps, request))(row);
		},
	});
}

function parseTexts(json: string): readonly unknown[] {
	const value: unknown = JSON.parse(json);
	return Array.isArray(value) ? value : [];
}

/** A key on the wire; `reach` holds the sites that its owner reaches now. */
export function presentToken(row: TokenRow, reach: readonly ReachableSite[], nowMs: number) {
	const scopes = parseTexts(row.scopes);
	const restricted = row.site_ids === null ? null : new Set(parseTexts(row.site_ids));
	const isExpired = row.expires_at !== null && row.expires_at <= nowMs;
	return {
		id: row.id,
		name: row.name,
		token_prefix: row.token_prefix,
		scopes: keyScopes.filter((scope) => scopes.includes(scope)),
		account_ids: reach.map(({ id }) => id).filter((id) => restricted === null || restricted.has(id)),
		all_sites: restricted === null,
		expires_at: timestampOrNull(row.expires_at),
		last_used_at: timestampOrNull(row.last_used_at),
		is_active: row.revoked_at === null && !isExpired,
		revoked_at: timestampOrNull(row.revoked_at),
		created_at: timestamp(row.created_at),
	};
}
