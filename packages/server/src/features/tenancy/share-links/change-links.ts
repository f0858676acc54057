import { isIPv4 } from "node:net";
import { type Static, Type } from "typebox";
import { shareLists } from "../../../access/index.ts";
import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { presentRow } from "../../../platform/http/present-row.ts";
import { Nullable, OneOf, Text, Timestamp } from "../../../platform/http/schemas.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { randomAlphanumeric, randomToken } from "../../../platform/lib/ids.ts";
import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import { timestampOrNull } from "../../../platform/lib/timestamp.ts";
import {
	type AuditEntry,
	addedFields,
	type ChangeDeps,
	changedFields,
	removedFields,
} from "../../auditing/audit-log/index.ts";
import { hashPassword } from "../../people/users/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../organizations/index.ts";
import { type LinkRow, links, listsOf, originsOf } from "./store.ts";

export interface ShareLinkDeps extends ChangeDeps, ServerSecrets {
	/** The address that shared links lead to. */
	readonly rootUrl: string;
	/** The id of a site's segment, by its id or name; undefined when there is none. */
	readonly segmentIdOf: (siteId: string, idOrName: string) => Promise<string | undefined>;
}

export const List = OneOf([...shareLists]);
const linkName = (options = {}) =>
	Type.String({ minLength: 1, maxLength: 100, pattern: "^[^\\u0000-\\u001f\\u007f]*$", ...options });
const password = () => Type.String({ minLength: 8, maxLength: 128, description: "Readers must enter it" });
const segment = Text(1, 64, { description: "Id or name of a segment; all reports of the link are limited to it" });
const lists = {
	uniqueItems: true,
	maxItems: shareLists.length,
	description: "Lists shown beside the overview",
};
const origins = {
	maxItems: 20,
	description: "Origins that may embed the report: scheme, host and port, such as https://www.example.com",
};
const fields = {
	name: Type.Optional(linkName()),
	password: Type.Optional(Nullable(password(), { description: "null removes the password" })),
	segment_id: Type.Optional(Nullable(segment)),
	lists: Type.Optional(Type.Array(List, lists)),
	may_filter: Type.Optional(Type.Boolean()),
	embed_origins: Type.Optional(Type.Array(Text(1, 300), origins)),
	expires_at: Type.Optional(Nullable(Type.String({ format: "date-time", description: "When the link stops working" }))),
};

export const CreateLinkBody = Type.Object({
	...fields,
	name: linkName({ description: "Internal name; readers do not see it" }),
	password: Type.Optional(Nullable(password())),
	may_filter: Type.Boolean({ default: false, description: "Readers may filter by the dimensions shown" }),
});

export const ChangeLinkBody = Type.Object({ ...fields, is_active: Type.Optional(Type.Boolean()) });

export const ShareLink = Type.Object({
	id: Type.String(),
	name: Type.String(),
	url: Nullable(Type.String({ format: "uri" }), {
		description: "The URL to share; null where it cannot be decrypted any more and has to be renewed",
	}),
	token_prefix: Type.String({ description: "Beginning of the URL's last part" }),
	has_password: Type.Boolean(),
	segment_id: Nullable(Type.String()),
	lists: Type.Array(List),
	may_filter: Type.Boolean(),
	embed_origins: Type.Array(Type.String()),
	expires_at: Nullable(Timestamp()),
	views: Type.Integer({ description: "Number of times the link was opened" }),
	last_seen_at: Nullable(Timestamp()),
	is_active: Type.Boolean(),
	state: OneOf(["open", "off", "expired", "segment_gone"], { description: "Only `open` links show anything" }),
	created_at: Timestamp(),
	updated_at: Timestamp(),
});

// The origin is written into a header of the page, so a host consists of letters, digits, dots and hyphens only.
const HOST = /^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)*[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;
const IPV6 = /^\[[0-9a-f:.]+\]$/;

/** An origin in its one way of being written; undefined for what is more, less or no origin. */
function canonical(text: string): string | undefined {
	const url = URL.canParse(text) ? new URL(text) : undefined;
	if (url === undefined || (url.protocol !== "https:" && url.protocol !== "http:")) return undefined;
	const isHost = HOST.test(url.hostname) || isIPv4(url.hostname) || IPV6.test(url.hostname);
	const isBare = url.href === `${url.origin}/` && !/[?#@]/.test(text);
	return isHost && isBare ? url.origin : undefined;
}

/** Origins, each once; 422 on the first that has not just scheme, host and port. */
function embedOrigins(texts: readonly string[]): string[] {
	const origins = texts.map((text, at) => {
		const origin = canonical(text.trim());
		if (origin !== undefined) return origin;
		const message = "Must be scheme, host and port of a page, such as https://www.example.com";
		throw fieldError(`body.embed_origins.${at}`, message, "origin");
	});
	return [...new Set(origins)];
}

/** Characters of the token by which people tell their links apart. */
const SHOWN_LENGTH = 6;

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "share link");

/** The columns of a new token: it is looked up by its hash, and read again from what is sealed. */
function newToken(secrets: ServerSecrets, id: string) {
	const token = randomToken();
	return {
		token_hash: sha256Hex(token),
		token_prefix: token.slice(0, SHOWN_LENGTH),
		sealed_token: sealerOf(secrets).seal(id, token),
	};
}

/** The address of a link; null where it was made before addresses were kept, or sealed with a secret that is gone. */
function addressOf(deps: ServerSecrets & { readonly rootUrl: string }, row: LinkRow): string | null {
	const token = row.sealed_token === null ? undefined : sealerOf(deps).open(row.id, row.sealed_token);
	return token === undefined ? null : `${deps.rootUrl}/share/${token}`;
}

/** Shared links that a site may have. */
const MAX_LINKS = 50;
/** Blanks at both ends of a password do not count. */
const LEAST_PASSWORD = 8;

const linkNotFound = () => new ServiceError("not_found", "Shared link not found");

export async function seenLinks(deps: ShareLinkDeps, siteId: string) {
	const rows = await links.list(deps.metadata, { site_id: siteId }, "created_at", "id");
	return Promise.all(rows.map((row) => seen(deps, row)));
}

/**
 * Makes a link. 422 for a segment that the site has not, an origin that is none
 * and an end that is over, `conflict` beyond 50 links.
 */
export async function createLink(deps: ShareLinkDeps, by: SiteChange, input: Static<typeof CreateLinkBody>) {
	const id = `shl_${randomAlphanumeric(12)}`;
	const fields = await readFields(deps, by.site.id, input);
	const row = await changeInTurn(deps, by, async (trx, nowMs) => {
		if ((await links.count(trx, { site_id: by.site.id })) >= MAX_LINKS) throw siteIsFull(MAX_LINKS, "shared links");
		const made = await links.insert(trx, {
			...{ lists: "[]", may_filter: 0, embed_origins: "[]", is_active: 1 },
			...fields,
			...newToken(deps, id),
			id,
			site_id: by.site.id,
			name: input.name,
			generation: 1,
			views: 0,
			created_at: nowMs,
			updated_at: nowMs,
		});
		const details = addedFields(auditedLink(made));
		return { answer: made, entry: { action: "share_link.created", resourceId: made.id, details } };
	});
	return seen(deps, row);
}

/** Changes a link, which ends what its readers have open. Throws `not_found`, and 422 as `createLink`. */
export async function changeLink(
	deps: ShareLinkDeps,
	by: SiteChange,
	id: string,
	input: Static<typeof ChangeLinkBody>,
) {
	const fields = await readFields(deps, by.site.id, input);
	return updateLink(deps, by, id, fields, (before, after) => {
		const isOtherPassword = fields.password_hash !== undefined && before.password_hash !== null && after.password_hash;
		const details = {
			...changedFields(auditedLink(before), auditedLink(after)),
			...(isOtherPassword && { password_changed: true }),
		};
		return { action: "share_link.updated", details };
	});
}

/** Gives a link another address; the one before shows nothing from now on. Throws `not_found`. */
export const renewLink = (deps: ShareLinkDeps, by: SiteChange, id: string) =>
	updateLink(deps, by, id, newToken(deps, id), (before, after) => ({
		action: "share_link.renewed",
		details: { token_prefix: [before.token_prefix, after.token_prefix] },
	}));

/** The bearers that were given by the link end, as its generation grows. */
async function updateLink(
	deps: ShareLinkDeps,
	by: SiteChange,
	id: string,
	fields: Partial<LinkRow>,
	entryOf: (before: LinkRow, after: LinkRow) => Pick<AuditEntry, "action" | "details">,
) {
	const where = { site_id: by.site.id, id };
	const row = await changeInTurn(deps, by, async (trx, nowMs) => {
		const before = await links.find(trx, where);
		const changes = before && { ...fields, generation: before.generation + 1, updated_at: nowMs };
		const answer = changes && (await links.update(trx, where, changes));
		if (before === undefined || answer === undefined) throw linkNotFound();
		return { answer, entry: { ...entryOf(before, answer), resourceId: id } };
	});
	return seen(deps, row);
}

export function removeLink(deps: ShareLinkDeps, by: SiteChange, id: string): Promise<void> {
	return changeInTurn(deps, by, async (trx) => {
		const row = await links.delete(trx, { site_id: by.site.id, id });
		if (row === undefined) throw linkNotFound();
		const details = removedFields(auditedLink(row));
		return { answer: undefined, entry: { action: "share_link.deleted", resourceId: id, details } };
	});
}

async function readFields(
	deps: ShareLinkDeps,
	siteId: string,
	input: Static<typeof ChangeLinkBody>,
): Promise<Partial<LinkRow>> {
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
	throw fieldError("body.password", `Must have at least ${LEAST_PASSWORD} characters other than blanks`, "minLength");
}

function endOf(text: string, nowMs: number): number {
	const end = Date.parse(text);
	if (end > nowMs) return end;
	throw fieldError("body.expires_at", "Must be in the future", "value_error");
}

/** A link as the API shows it. */
const seen = async (deps: ShareLinkDeps, row: LinkRow) =>
	presentRow(ShareLink, {
		...row,
		has_password: row.password_hash !== null,
		lists: listsOf(row),
		embed_origins: originsOf(row),
		url: addressOf(deps, row),
		state: await stateOf(deps, row),
	});

async function stateOf(
	{ clock, segmentIdOf }: ShareLinkDeps,
	row: LinkRow,
): Promise<Static<typeof ShareLink>["state"]> {
	if (row.is_active !== 1) return "off";
	if (row.expires_at !== null && row.expires_at <= clock.now()) return "expired";
	const isThere = row.segment_id === null || (await segmentIdOf(row.site_id, row.segment_id)) !== undefined;
	return isThere ? "open" : "segment_gone";
}

/** Audited fields of a link: never its token or password. */
const auditedLink = (row: LinkRow) => ({
	name: row.name,
	has_password: row.password_hash !== null,
	segment_id: row.segment_id,
	lists: listsOf(row),
	may_filter: row.may_filter === 1,
	embed_origins: originsOf(row),
	expires_at: timestampOrNull(row.expires_at),
	is_active: row.is_active === 1,
});
