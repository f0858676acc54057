import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { formatIpOrRange, parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { lockOrganization } from "../organizations/index.ts";
import { changeSites } from "../sites/index.ts";
import type { BlocklistDeps } from "./deps.ts";
import { deleteEntry, type EntryFields, type EntryRow, insertEntry, listEntries, updateEntry } from "./store.ts";

const MAX_ENTRIES = 100;

/** Who changes the blocklist of which site. */
export interface BlocklistChange {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly actor: Actor;
}

/** The answer to an id that the site does not have. */
export const entryNotFound = () => new ServiceError("not_found", { message: "Blocklist entry not found" });
const alreadyThere = () => new ServiceError("duplicate_entry", { message: "The site has this entry already" });

/** Adds an entry; 422 for what is no address, `duplicate_entry`, and `conflict` beyond 100. */
export function addEntry(deps: BlocklistDeps, by: BlocklistChange, fields: EntryFields): Promise<EntryRow> {
	const now = deps.clock.now();
	const ip_or_cidr = canonicalEntry(fields.ip_or_cidr);
	return inTurn(deps, by, async (metadata) => {
		const row = await insertEntry(metadata, { ...fields, ip_or_cidr, site_id: by.site.id, created_at: now });
		if (row === undefined) throw alreadyThere();
		if ((await listEntries(metadata, by.site.id)).length > MAX_ENTRIES) {
			throw new ServiceError("conflict", { message: `A site has at most ${MAX_ENTRIES} blocklist entries` });
		}
		const subject = { resourceId: row.id, siteId: by.site.id };
		await recordAudit(metadata, by.actor, { action: "blocklist.created", ...subject, details: { ip_or_cidr } }, now);
		return row;
	});
}

/** Changes an entry; throws `not_found`, 422 for what is no address, and `duplicate_entry`. */
export function changeEntry(
	deps: BlocklistDeps,
	by: BlocklistChange,
	id: number,
	changes: Partial<EntryFields>,
): Promise<EntryRow> {
	const now = deps.clock.now();
	return inTurn(deps, by, async (metadata) => {
		const present = await listEntries(metadata, by.site.id);
		const before = present.find((row) => row.id === id);
		if (before === undefined) throw entryNotFound();
		const { reason, is_active } = { ...before, ...changes };
		const ip_or_cidr = changes.ip_or_cidr === undefined ? before.ip_or_cidr : canonicalEntry(changes.ip_or_cidr);
		if (present.some((row) => row.id !== id && row.ip_or_cidr === ip_or_cidr)) throw alreadyThere();
		const after = await updateEntry(metadata, by.site.id, id, { ip_or_cidr, reason, is_active });
		if (after === undefined) throw entryNotFound();
		const details = changedFields(auditedFields(before), auditedFields(after));
		const subject = { resourceId: id, siteId: by.site.id };
		await recordAudit(metadata, by.actor, { action: "blocklist.updated", ...subject, details }, now);
		return after;
	});
}

/** Removes an entry; throws `not_found`. */
export async function removeEntry(deps: BlocklistDeps, by: BlocklistChange, id: number): Promise<void> {
	await inTurn(deps, by, async (metadata) => {
		const row = await deleteEntry(metadata, by.site.id, id);
		if (row === undefined) throw entryNotFound();
		const details = { ip_or_cidr: row.ip_or_cidr };
		const subject = { resourceId: id, siteId: by.site.id };
		await recordAudit(metadata, by.actor, { action: "blocklist.deleted", ...subject, details }, deps.clock.now());
	});
}

/** Changes of one organization's sites wait for one another, so what a change has counted still holds at its end. */
const inTurn = <T>(deps: BlocklistDeps, { site }: BlocklistChange, change: (metadata: Metadata) => Promise<T>) =>
	changeSites(deps, [site.id], async (metadata) => {
		await lockOrganization(metadata, site.organizationId);
		return change(metadata);
	});

function canonicalEntry(text: string): string {
	const range = parseIpOrRange(text);
	if (range === undefined) {
		throw fieldError("body.ip_or_cidr", "Must be an address or a range such as 203.0.113.0/24", "ip_or_cidr");
	}
	return formatIpOrRange(range);
}

const auditedFields = ({ ip_or_cidr, reason, is_active }: EntryRow) => ({
	ip_or_cidr,
	reason,
	is_active: is_active === 1,
});
