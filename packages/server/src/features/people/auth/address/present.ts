import { timestamp } from "../../../../platform/lib/timestamp.ts";
import type { AddressChangeRow } from "./store.ts";

/** A user's address and the change of it that waits, on the wire. */
export const presentAddress = (email: string, change: AddressChangeRow | undefined) => ({
	email,
	pending_change:
		change === undefined
			? null
			: {
					new_email: change.new_email,
					is_confirmed_by_current: change.current_confirmed_at !== null,
					is_confirmed_by_new: change.new_confirmed_at !== null,
					requested_at: timestamp(change.created_at),
					expires_at: timestamp(change.expires_at),
				},
});
