import { type ShareList, shareLists } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import { addedFields, changedFields, removedFields } from "../../auditing/audit-log/index.ts";
import { hashPassword } from "../../people/users/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../organizations/index.ts";
import type { ShareLinkDeps } from "./deps.ts";
import { embedOrigins } from "./embed-origin.ts";
import { addressOf, newToken } from "./link-token.ts";
import { auditedLink, type LinkState, type SeenLink } from "./present.ts";
import { deleteLink, findLink, insertLink, type LinkFields, type LinkRow, listLinks, updateLink } from "./store.ts";

/** Shared links that a site may have. */
const MAX_LINKS = 50;
/** Blanks at both ends of a password do not count. */
const LEAST_PASSWORD = 8;

/** Input of a link; absent fields keep their value. */
export interface LinkInput {
	readonly name?: string;
	readonly password?: string | null;
	readonly segment_id?: string | null;
	readonly lists?: readonly ShareList[];
	readonly may_filter?: boolean;
	readonly embed_origins?: readonly string[];
	/** ISO 8601. */
	readonly expires_at?: string | null;
	readonly is_active?: boolean;
}

const linkNotFound = () => new ServiceError("not_found", { message: "Shared link not found" });

/** The links of a site, oldest first. */
export async function seenLinks(deps: ShareLinkDeps, siteId: string): Promise<SeenLink[]> {
	const rows = await listLinks(deps.metadata, siteId);
	return Promise.all(rows.map((row) => seen(deps, row)));
}

/**
 * Makes a link. 422 for a segment that the site has not, an origin that is none
 * and an end that is over, `conflict` beyond 50 links.
 */
export async function createLink(
	deps: ShareLinkDeps,
	by: SiteChange,
	input: LinkInput & { readonly name: string },
): Promise<SeenLink> {
	const id = `shl_${randomAlphanumeric(12)}`;
	const fields = await readFields(deps, by.site.id, input);
	const row = await changeInTurn(deps, by, async (trx, nowMs) => {
		const present = await listLinks(trx, by.site.id);
		if (present.length >= MAX_LINKS) throw siteIsFull(MAX_LINKS, "shared links");
		const made = await insertLink(trx, {
			...{ password_hash: null, segment_id: null, lists: "[]", may_filter: 0, embed_origins: "[]" },
			...{ expires_at: null, is_active: 1 },
			...fields,
			...newToken(deps, id),
			id,
			site_id: by.site.id,
			name: input.name,
			generation: 1,
			views: 0,
			last_seen_at: null,
			created_at: nowMs,
			updated_at: nowMs,
		});
		const details = addedFields(auditedLink(made));
		return { answer: made, entry: { action: "share_link.created", resourceId: made.id, details } };
	});
	return seen(deps, row);
}

/** Changes a link, which ends what its readers have open. Throws `not_found`, and 422 as `createLink`. */
export async function changeLink(deps: ShareLinkDeps, by: SiteChange, id: string, input: LinkInput): Promise<SeenLink> {
	const fields = await readFields(deps, by.site.id, input);
	const row = await changeInTurn(deps, by, async (trx, nowMs) => {
		const before = await findLink(trx, by.site.id, id);
		const after = before && (await updateLink(trx, { siteId: by.site.id, id, nowMs }, fields));
		if (before === undefined || after === undefined) throw linkNotFound();
		const isOtherPassword = fields.password_hash !== undefined && before.password_hash !== null && after.password_hash;
		const details = {
			...changedFields(auditedLink(before), auditedLink(after)),
			...(isOtherPassword && { password_changed: true }),
		};
		return { answer: after, entry: { action: "share_link.updated", resourceId: id, details } };
	});
	return seen(deps, row);
}

/** Gives a link another address; the one before shows nothing from now on. Throws `not_found`. */
export async function renewLink(deps: ShareLinkDeps, by: SiteChange, id: string): Promise<SeenLink> {
	const row = await changeInTurn(deps, by, async (trx, nowMs) => {
		const before = await findLink(trx, by.site.id, id);
		const after = before && (await updateLink(trx, { siteId: by.site.id, id, nowMs }, newToken(deps, id)));
		if (before === undefined || after === undefined) throw linkNotFound();
		const details = { token_prefix: [before.token_prefix, after.token_prefix] as const };
		return { answer: after, entry: { action: "share_link.renewed", resourceId: id, details } };
	});
	return seen(deps, row);
}

/** Removes a link; throws `not_found`. */
export function removeLink(deps: ShareLinkDeps, by: SiteChange, id: string): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await deleteLink(trx, by.site.id, id);
		if (row === undefined) throw linkNotFound();
		const details = removedFields(auditedLink(row));
		return { answer: undefined, entry: { action: "share_link.deleted", resourceId: id, details } };
	});
}

/** Stored fields of an input; 422 for invalid ones. */
async function readFields(deps: ShareLinkDeps, siteId: string, input: LinkInput): Promise<Partial<LinkFields>> {
	const { name, password, segment_id, lists, may_filter, embed_origins, expires_at, is_active } = input;
	return {
		...(name !== undefined && { name }),
		...(segment_id !== undefined && { segment_id: segment_id && (await segmentId(deps, siteId, segment_id)) }),
		...(lists !== undefined && { lists: JSON.stringify(shareLists.filter((list) => lists.includes(list))) }),
		...(may_filter !== undefined && { may_filter: may_filter ? 1 : 0 }),
		...(embed_origins !== undefined && { embed_origins: JSON.stringify(embedOrigins(embed_origins)) }),
		...(expires_at !== undefined && { expires_at: expires_at === null ? null : endOf(expires_at, deps.clock.now()) }),
		...(is_active !== undefined && { is_active: is_active ? 1 : 0 }),
		...(password !== undefined && { password_hash: password && (await passwordHash(password)) }),
	};
}

async function segmentId({ segmentIdOf }: ShareLinkDeps, siteId: string, idOrName: string): Promise<string> {
	const id = await segmentIdOf(siteId, idOrName);
	if (id === undefined) throw fieldError("body.segment_id", "The site has no such segment", "unknown");
	return id;
}

function passwordHash(password: string): Promise<string> {
	if (password.trim().length >= LEAST_PASSWORD) return hashPassword(password);
	throw fieldError("body.password", `Must have at least ${LEAST_PASSWORD} characters beside blanks`, "minLength");
}

function endOf(text: string, nowMs: number): number {
	const end = Date.parse(text);
	if (end > nowMs) return end;
	throw fieldError("body.expires_at", "Must be in the future", "value_error");
}

async function seen(deps: ShareLinkDeps, row: LinkRow): Promise<SeenLink> {
	return { row, url: addressOf(deps, row), state: await stateOf(deps, row) };
}

async function stateOf({ clock, segmentIdOf }: ShareLinkDeps, row: LinkRow): Promise<LinkState> {
	if (row.is_active !== 1) return "off";
	if (row.expires_at !== null && row.expires_at <= clock.now()) return "expired";
	const isThere = row.segment_id === null || (await segmentIdOf(row.site_id, row.segment_id)) !== undefined;
	return isThere ? "open" : "segment_gone";
}
