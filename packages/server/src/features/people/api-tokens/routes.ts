import type { FastifyRequest } from "fastify";
import { Type } from "typebox";
import {
	type KeyScope,
	keyScopes,
	type ReachableSite,
	reachableSites,
	reachableSitesOf,
} from "../../../access/index.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { hourlyOfUser } from "../../../platform/http/rate-limit/route-limit.ts";
import { Id, Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { DAY_MS } from "../../../platform/lib/durations.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, actorOf, type ChangeDeps, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockUser } from "../users/index.ts";
import {
	belongsSomewhere,
	listTokens,
	peopleOf,
	revokeTokenRow,
	sitesTable,
	type TokenRow,
	tokensTable,
} from "./store.ts";

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

const scopeDescriptions = {
	"stats:read": { name: "Read statistics", description: "Reports, batch queries and exports of the key's sites" },
	"sites:read": { name: "Read sites", description: "Sites, their domains, UTM mappings and channel rules" },
	"accounts:read": { name: "Read account", description: "The owner's record, organizations, webhooks and API tokens" },
} as const satisfies Record<KeyScope, { name: string; description: string }>;

const tags = ["API tokens"];
const reading = { tags, guard: { kind: "principal", scope: "accounts:read", impersonation: "refused" } } as const;
const writing = { tags, guard: { kind: "session", scope: "write", impersonation: "refused" } } as const;

/** Revoked ones are kept for a year. */
const creating = hourlyOfUser("api-token", 60);

type Asking = Pick<FastifyRequest, "caller" | "isSiteOpenHere">;

/** Presents the caller's own keys: with the sites that are open from where the caller is. */
async function presenterFor({ metadata, clock }: ChangeDeps, request: Asking) {
	const reach = await reachableSitesOf(metadata, request.caller);
	const open = reach.filter(({ id }) => request.isSiteOpenHere(id));
	return (row: TokenRow) => presentToken(row, open, clock.now());
}

export function registerApiTokens(app: App, deps: ChangeDeps): void {
	addRoute(app, "GET /api-tokens/scopes", {
		...reading,
		summary: "Scopes that the caller may grant",
		data: Type.Object({
			scopes: Type.Array(Type.Object({ id: OneOf(keyScopes), name: Type.String(), description: Type.String() })),
		}),
		handler: async ({ caller }) => {
			const grantable = caller.kind === "session" ? keyScopes : caller.kind === "key" ? caller.scopes : [];
			return { scopes: grantable.map((id) => ({ id, ...scopeDescriptions[id] })) };
		},
	});
	addRoute(app, "GET /api-tokens", {
		...reading,
		summary: "The caller's tokens",
		querystring: Type.Object({ include_inactive: Type.Boolean({ default: false }) }),
		list: ["tokens", Token],
		handler: async (request) => {
			const filter = { includeInactive: request.query.include_inactive, nowMs: deps.clock.now() };
			const rows = await listTokens(deps.metadata, request.caller.userId, filter);
			return rows.map(await presenterFor(deps, request));
		},
	});
	addRoute(app, "GET /api-tokens/:token_id", {
		...reading,
		summary: "One token",
		params: TokenParams,
		data: Token,
		handler: async (request) => {
			const row = await findToken(deps.metadata, request.caller.userId, request.params.token_id);
			return (await presenterFor(deps, request))(row);
		},
	});
	addRoute(app, "POST /api-tokens", {
		...writing,
		summary: "Create a token; it is shown only in this response",
		body: CreateTokenBody,
		limit: [creating],
		status: 201,
		data: CreatedToken,
		errors: ["conflict"],
		handler: async (request) => {
			const { name, scopes, account_ids: siteIds = null, expires_in_days: expiresInDays = null } = request.body;
			const { userId } = request.caller;
			// A key for all sites opens those with a list, too, and need not be held to it.
			const opened = siteIds ?? (await reachableSitesOf(deps.metadata, request.caller)).map(({ id }) => id);
			await request.refuseShutSites(opened);
			const input = { name, scopes, siteIds, expiresInDays };
			const { row, value } = await createToken(deps, { userId, actor: actorOf(request) }, input);
			return { ...(await presenterFor(deps, request))(row), token: value };
		},
	});
	addRoute(app, "DELETE /api-tokens/:token_id", {
		...writing,
		summary: "Revoke a token",
		params: TokenParams,
		data: Token,
		handler: async (request) => {
			const owner = { userId: request.caller.userId, actor: actorOf(request) };
			const row = await revokeToken(deps, owner, request.params.token_id);
			return (await presenterFor(deps, request))(row);
		},
	});
}

/** A key on the wire; `reach` holds the sites that its owner reaches now. */
export function presentToken(row: TokenRow, reach: readonly ReachableSite[], nowMs: number) {
	const scopes: readonly string[] = JSON.parse(row.scopes);
	const restricted = row.site_ids === null ? null : new Set<string>(JSON.parse(row.site_ids));
	const isExpired = row.expires_at !== null && row.expires_at <= nowMs;
	return presentRow(Token, {
		...row,
		scopes: keyScopes.filter((scope) => scopes.includes(scope)),
		account_ids: reach.map(({ id }) => id).filter((id) => restricted === null || restricted.has(id)),
		all_sites: restricted === null,
		is_active: row.revoked_at === null && !isExpired,
	});
}

const PREFIX = "svc_";
const RANDOM_LENGTH = 60;
const SHOWN_LENGTH = 8;
const MAX_ACTIVE = 50;

interface NewToken {
	readonly name: string;
	readonly scopes: readonly KeyScope[];
	/** Slugs; null = every site that the owner reaches, now and later. */
	readonly siteIds: readonly string[] | null;
	/** Null = never. */
	readonly expiresInDays: number | null;
}

interface TokenOwner {
	readonly userId: number;
	readonly actor: Actor;
}

/**
 * Makes a key; `value` is the only time that it can be seen.
 * Throws `forbidden` for a site out of the owner's reach and `conflict` beyond 50 active keys.
 */
export async function createToken(deps: ChangeDeps, owner: TokenOwner, input: NewToken) {
	return deps.metadata.transaction().execute((metadata) => addToken({ ...deps, metadata }, owner, input));
}

/** The same within a transaction of the caller. */
export async function addToken({ metadata, clock }: ChangeDeps, { userId, actor }: TokenOwner, input: NewToken) {
	// Of two at once, the second counts the first.
	await lockUser(metadata, userId);
	const now = clock.now();
	const value = PREFIX + randomAlphanumeric(RANDOM_LENGTH);
	const siteIds = input.siteIds === null ? null : [...new Set(input.siteIds)];
	await checkReach(metadata, userId, siteIds ?? []);
	const row = await tokensTable.insert(metadata, {
		user_id: userId,
		name: input.name,
		token_hash: sha256Hex(value),
		token_prefix: value.slice(0, SHOWN_LENGTH),
		scopes: JSON.stringify([...new Set(input.scopes)]),
		site_ids: siteIds === null ? null : JSON.stringify(siteIds),
		expires_at: input.expiresInDays === null ? null : now + input.expiresInDays * DAY_MS,
		last_used_at: null,
		revoked_at: null,
		created_at: now,
	});
	const active = await listTokens(metadata, userId, { includeInactive: false, nowMs: now });
	if (active.length > MAX_ACTIVE) throw new ServiceError("conflict", `At most ${MAX_ACTIVE} active tokens`);
	const { name, expires_at: expiresAt } = row;
	const details = { name, scopes: input.scopes, all_sites: siteIds === null, expires_at: expiresAt };
	await recordAudit(metadata, actor, { action: "token.created", resourceId: row.id, details }, now);
	return { row, value };
}

async function checkReach(metadata: Metadata, userId: number, siteIds: readonly string[]): Promise<void> {
	if (siteIds.length === 0) return;
	const reach = new Set((await reachableSites(metadata, userId)).map(({ id }) => id));
	const outside = siteIds.find((id) => !reach.has(id));
	if (outside !== undefined) throw new ServiceError("forbidden", `Access denied to account: ${outside}`);
}

/** Revokes a key of the owner; a second time it changes nothing. Throws `not_found`. */
export async function revokeToken(deps: ChangeDeps, { userId, actor }: TokenOwner, tokenId: number): Promise<TokenRow> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (metadata) => {
		const revoked = await revokeTokenRow(metadata, userId, tokenId, now);
		if (revoked === undefined) return findToken(metadata, userId, tokenId);
		const entry = { action: "token.revoked", resourceId: tokenId, details: { name: revoked.name } } as const;
		await recordAudit(metadata, actor, entry, now);
		return revoked;
	});
}

/** A key of its owner, revoked ones included. Throws `not_found`. */
const findToken = async (metadata: Metadata, user_id: number, id: number): Promise<TokenRow> =>
	orThrow(await tokensTable.find(metadata, { id, user_id }), "not_found", "API token not found");

/** Revokes the keys that opened nothing but a deleted organization, which is inactive by now. */
export async function endTokensOf(metadata: Metadata, organizationId: string, nowMs: number): Promise<void> {
	const sites = await sitesTable.list(metadata, { organization_id: organizationId });
	const gone = new Set(sites.map(({ id }) => id));
	for (const userId of await peopleOf(metadata, organizationId)) {
		const isElsewhere = await reachesMore(metadata, userId);
		const useless = (await unrevoked(metadata, userId)).filter(({ site_ids: json }) => {
			if (json === null) return !isElsewhere;
			return (JSON.parse(json) as string[]).every((id) => gone.has(id));
		});
		for (const { id } of useless) await revokeTokenRow(metadata, userId, id, nowMs);
	}
}

const reachesMore = async (metadata: Metadata, userId: number): Promise<boolean> =>
	(await belongsSomewhere(metadata, userId)) || (await reachableSites(metadata, userId)).length > 0;

export async function revokeTokensOf(metadata: Metadata, userId: number, nowMs: number): Promise<void> {
	for (const { id } of await unrevoked(metadata, userId)) await revokeTokenRow(metadata, userId, id, nowMs);
}

const unrevoked = (metadata: Metadata, userId: number) =>
	tokensTable.list(metadata, { user_id: userId, revoked_at: null });
