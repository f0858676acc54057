import { signShareToken } from "../../../access/index.ts";
import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { addressGroup } from "../../../platform/http/rate-limit/address-group.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS, MINUTE_MS } from "../../../platform/lib/durations.ts";
import { countAttempt, noteAttempt } from "../../people/failure-limits/index.ts";
import { verifyPassword } from "../../people/users/index.ts";
import type { ShareLinkDeps } from "./change-links.ts";
import { countView, findLinkByToken, originsOf } from "./store.ts";

/** Guesses from one place at one link. */
const fromAnAddress = { name: "share-link", failures: 10, windowMs: 15 * MINUTE_MS } as const;
/** Guesses from everywhere at one link. */
const atALink = { name: "share-link-anywhere", failures: 200, windowMs: HOUR_MS } as const;

export interface Opening {
	readonly token: string;
	readonly password: string | undefined;
	readonly ip: string;
	/** Throws when the address shuts the site. */
	readonly refuseShut: (siteId: string) => Promise<void>;
}

/**
 * A bearer by which the reports of a link are read. Throws `not_found` for every link that shows nothing, whatever the reason;
 * `forbidden` from an address that shuts the site; `unauthorized` without the password that the link asks for,
 * `invalid_credentials` for a wrong one, and `rate_limit_exceeded` after ten of them in 15 minutes.
 */
export async function openLink(deps: ShareLinkDeps, { token, password, ip, refuseShut }: Opening) {
	const link = orThrow(await findLiveLink(deps, token), "not_found", "The shared link does not exist or was deleted");
	await refuseShut(link.site_id);
	if (link.password_hash !== null) await checkPassword(deps, { id: link.id, hash: link.password_hash }, password, ip);
	const now = deps.clock.now();
	// A full disk must not keep people from reading, so a failed note of the visit is let go.
	await countView(deps.metadata, link.id, now).catch(() => undefined);
	const claims = { linkId: link.id, generation: link.generation };
	return { link, bearer: await signShareToken(deps.secretKey, claims, now) };
}

async function checkPassword(
	deps: ShareLinkDeps,
	{ id, hash }: { readonly id: string; readonly hash: string },
	password: string | undefined,
	ip: string,
): Promise<void> {
	if (password === undefined) throw new ServiceError("unauthorized", "The shared link requires a password");
	const here = await countAttempt(deps, fromAnAddress, `${id}\n${addressGroup(ip)}`);
	const anywhere = await noteAttempt(deps, atALink, id);
	if (anywhere.refusal !== undefined) {
		await Promise.all([here.takeBack(), anywhere.takeBack()]);
		throw anywhere.refusal;
	}
	if (!(await verifyPassword(hash, password))) throw new ServiceError("invalid_credentials", "The password is wrong");
	await Promise.all([here.forgetAll(), anywhere.takeBack()]);
}

/** 32 random bytes as base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

type LookDeps = Pick<ShareLinkDeps, "metadata" | "clock" | "segmentIdOf">;

/** The link that an address holds, while it shows anything; undefined for all others alike. */
async function findLiveLink({ metadata, clock, segmentIdOf }: LookDeps, token: string) {
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
