import { queryOptions } from "@tanstack/react-query";
import { type Answer, call } from "../../api/client.ts";
import { atField } from "../../lib/failure.ts";
import { useChange } from "../../ui/form/use-change.ts";
import { t } from "./texts.ts";

/** An address whose hits are not counted. */
export type Entry = Answer<"GET /blocklist-ips">["entries"][number];
type EntryInput = Pick<Entry, "ip_or_cidr" | "reason"> & { readonly is_active?: boolean };

/** All addresses of a site, paused ones too. */
export const blocklistQuery = (site: string) =>
	queryOptions({
		queryKey: ["GET /blocklist-ips", site],
		queryFn: ({ signal }) =>
			call("GET /blocklist-ips", { query: { account_id: site, include_inactive: true }, signal }),
	});

const taken = atField({ duplicate_entry: ["ip_or_cidr", t.taken] });

/** Changes of the list, each of which can be taken back. */
export function useBlocklist(site: string) {
	const query = { account_id: site };
	const stale = ["GET /blocklist-ips"];
	const create = (body: EntryInput) => call("POST /blocklist-ips", { query, body }).catch(taken);
	const drop = ({ id }: Entry) => call("DELETE /blocklist-ips/{entry_id}", { path: { entry_id: id }, query });
	const write = ({ id }: Entry, body: Partial<EntryInput>) =>
		call("PATCH /blocklist-ips/{entry_id}", { path: { entry_id: id }, query, body }).catch(taken);
	return {
		add: useChange({ run: create, stale, done: ({ ip_or_cidr: ip }) => t.added(ip), undo: drop }),
		remove: useChange({
			run: drop,
			stale,
			done: (_, { ip_or_cidr: ip }) => t.removed(ip),
			undo: (_, { ip_or_cidr, reason, is_active }) => create({ ip_or_cidr, reason, is_active }),
		}),
		change: useChange({
			run: ({ entry, to }: { readonly entry: Entry; readonly to: Partial<EntryInput> }) => write(entry, to),
			stale,
			done: ({ ip_or_cidr: ip }, { to }) =>
				to.is_active === undefined ? t.changed(ip) : to.is_active ? t.isResumed(ip) : t.isPaused(ip),
			undo: (_, { entry: { ip_or_cidr, reason, is_active, ...entry } }) =>
				write({ ...entry, ip_or_cidr, reason, is_active }, { ip_or_cidr, reason, is_active }),
		}),
	};
}
