import { fieldError, ServiceError } from "../../../platform/errors/service-error.ts";
import { formatIpOrRange, parseIpOrRange } from "../../../platform/lib/ip-address.ts";
import { type Change, changedFields } from "../../auditing/audit-log/index.ts";
import { changeInTurn, type SiteChange, siteIsFull } from "../organizations/index.ts";
import { changeSites } from "../sites/index.ts";
import type { BlocklistDeps } from "./deps.ts";
import { deleteEntry, type EntryFields, type EntryRow, insertEntry, listEntries, updateEntry } from "./store.ts";

const MAX_ENTRIES = 100;

/** The answer to an id that the site does not have. */
export const entryNotFound = () => new ServiceError("not_found", { message: "Blocklist entry not found" });
const alreadyThere = () => new ServiceError("duplicate_entry", { message: "The site has this entry already" });

/** Adds an entry; 422 for what is no address, `duplicate_entry`, and `conflict` beyond 100. */
export function addEntry(deps: BlocklistDeps, by: SiteChange, fields: EntryFields): Promise<EntryRow> {
	const ip_or_cidr = canonicalEntry(fields.ip_or_cidr);
	return inTurn(deps, by, async (trx, now) => {
		const row = await insertEntry(trx, { ...fields, ip_or_cidr, site_id: by.site.id, created_at: now });
		if (row === undefined) throw alreadyThere();
		const present = await listEntries(trx, by.site.id);
		if (present.length > MAX_ENTRIES) throw siteIsFull(MAX_ENTRIES, "blocklist entries");
		return { answer: row, entry: { action: "blocklist.created", resourceId: row.id, details: { ip_or_cidr } } };
	});
}

/** Changes an entry; throws `not_found`, 422 for what is no address, and `duplicate_entry`. */
export function changeEntry(
	deps: BlocklistDeps,
	by: SiteChange,
	id: number,
	changes: Partial<EntryFields>,
): Promise<EntryRow> {
	return inTurn(deps, by, async (trx) => {
		const present = await listEntries(trx, by.site.id);
		const before = present.find((row) => row.id === id);
		if (before === undefined) throw entryNotFound();
		const { reason, is_active } = { ...before, ...changes };
		const ip_or_cidr = changes.ip_or_cidr === undefined ? before.ip_or_cidr : canonicalEntry(changes.ip_or_cidr);
		if (present.some((row) => row.id !== id && row.ip_or_cidr === ip_or_cidr)) throw alreadyThere();
		const after = await updateEntry(trx, by.site.id, id, { ip_or_cidr, reason, is_active });
		if (after === undefined) throw entryNotFound();
		const details = changedFields(auditedFields(before), auditedFields(after));
		return { answer: after, entry: { action: "blocklist.updated", resourceId: id, details } };
	});
}

/** Removes an entry; throws `not_found`. */
export function removeEntry(deps: BlocklistDeps, by: SiteChange, id: number): Promise<void> {
	return inTurn(deps, by, async (trx) => {
		const row = await deleteEntry(trx, by.site.id, id);
		if (row === undefined) throw entryNotFound();
		const details = { ip_or_cidr: row.ip_or_cidr };
		return { answer: undefined, entry: { action: "blocklist.deleted", resourceId: id, details } };
	});
}

/** The collector asks of each hit whether its address is shut out, so it learns of every change. */
const inTurn = <T>(deps: BlocklistDeps, by: SiteChange, change: Change<T>): Promise<T> =>
	changeInTurn(deps, by, change, (work) => changeSites(deps, [by.site.id], work));

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
