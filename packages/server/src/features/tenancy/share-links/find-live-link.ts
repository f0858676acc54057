import { sha256Hex } from "../../../platform/lib/crypto.ts";
import type { ShareLinkDeps } from "./deps.ts";
import { findLinkByToken, originsOf } from "./store.ts";

/** 32 random bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type LookDeps = Pick<ShareLinkDeps, "metadata" | "clock" | "segmentIdOf">;

/** The link that an address holds, while it shows anything; undefined for all others alike. */
export async function findLiveLink({ metadata, clock, segmentIdOf }: LookDeps, token: string) {
	if (!TOKEN.test(token)) return undefined;
	const link = await findLinkByToken(metadata, sha256Hex(token));
	if (link === undefined || (link.expires_at !== null && link.expires_at <= clock.now())) return undefined;
	const { segment_id: segment } = link;
	return segment === null || (await segmentIdOf(link.site_id, segment)) !== undefined ? link : undefined;
}

/** State of a link for its page before it is opened; undefined for an invalid address. */
export async function lookAtLink(deps: LookDeps, token: string) {
	const link = await findLiveLink(deps, token);
	return link && { asksPassword: link.password_hash !== null, embedOrigins: originsOf(link) };
}
