import { ServiceError } from "../platform/errors/service-error.ts";
import type { Clock } from "../platform/lib/clock.ts";
import type { Metadata } from "../platform/metadata/metadata.ts";
import { findOpenLink } from "./credential-store.ts";
import type { Principal } from "./principal.ts";
import { signToken, verifyToken } from "./session-token.ts";
import { type SharedView, shareLists } from "./shared-view.ts";
import type { RequestSite } from "./site-store.ts";

/** Seconds that a bearer of a shared link lives. */
export const SHARE_TOKEN_SECONDS = 3600;

const PREFIX = "shr_";
const AUDIENCE = "footfall:share";

/**
 * A bearer with which reports are read by a shared link, for `SHARE_TOKEN_SECONDS`. Each change of the link has a higher
 * `generation`, which ends what was given before.
 */
export async function signShareToken(
	secretKey: string,
	{ linkId: subject, generation }: { readonly linkId: string; readonly generation: number },
	nowMs: number,
): Promise<string> {
	const token = { audience: AUDIENCE, subject, seconds: SHARE_TOKEN_SECONDS, claims: { generation } };
	return PREFIX + (await signToken(secretKey, token, nowMs));
}

export const isShareToken = (token: string): boolean => token.startsWith(PREFIX);

export type LinkReader = Extract<Principal, { kind: "share" }>;

export interface SharedLinkDeps {
	readonly metadata: Metadata;
	readonly clock: Clock;
	/** The server's secret, and the one before it while an operator changes it. */
	readonly secretKeys: readonly string[];
}

type OpenLink = NonNullable<Awaited<ReturnType<typeof findOpenLink>>>;

/**
 * The reader of a shared link by a bearer token, if the link is unchanged since the token was issued. Throws
 * `token_expired`, and `token_invalid` for a token that is not genuine, or whose link was changed, disabled, deleted or
 * has expired.
 */
export async function authenticateLink(deps: SharedLinkDeps, token: string): Promise<LinkReader> {
	const now = deps.clock.now();
	const expected = { audience: AUDIENCE, claim: "generation" };
	const signed = token.slice(PREFIX.length);
	const { subject: linkId, claim: generation, endsAt } = await verifyToken(deps.secretKeys, signed, expected, now);
	const link = await findOpenLink(deps.metadata, linkId);
	if (link === undefined || link.generation !== generation || isOver(link, now))
		throw new ServiceError("token_invalid");
	const { siteId, planTier: plan, expiresAt } = link;
	return {
		kind: "share",
		linkId,
		siteId,
		siteIds: [siteId],
		view: viewOf(link),
		plan,
		endsAt: Math.min(endsAt, expiresAt ?? endsAt),
	};
}

/** The site of a shared link, as long as its reader may be there; undefined since it is gone. */
export async function siteOfLink(metadata: Metadata, { linkId, view }: LinkReader): Promise<RequestSite | undefined> {
	const link = await findOpenLink(metadata, linkId);
	if (link === undefined) return undefined;
	const { siteId: id, organizationId, planTier, name, timezone, currency, botThreshold } = link;
	const site = { id, organizationId, planTier, name, timezone, currency, botThreshold };
	return { ...site, isActive: true, role: "viewer", organizationRole: null, share: view };
}

const isOver = ({ expiresAt }: OpenLink, nowMs: number): boolean => expiresAt !== null && expiresAt <= nowMs;

function viewOf({ lists, mayFilter, segmentId }: OpenLink): SharedView {
	const stored: unknown = JSON.parse(lists);
	const named: readonly unknown[] = Array.isArray(stored) ? stored : [];
	return { lists: shareLists.filter((list) => named.includes(list)), mayFilter: mayFilter === 1, segmentId };
}
