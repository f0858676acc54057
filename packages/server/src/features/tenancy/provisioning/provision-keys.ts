import { orThrow, ServiceError } from "../../../platform/errors/service-error.ts";
import { equalConstantTime, sha256Hex } from "../../../platform/lib/crypto.ts";
import { randomAlphanumeric } from "../../../platform/lib/ids.ts";
import { type ChangeDeps, recordAudit, systemActor } from "../../auditing/audit-log/index.ts";
import type { ProvisioningDeps } from "./claim-site.ts";
import { type ProvisionKeyRow, provisionKeys } from "./store.ts";

const PREFIX = "prov_";
const RANDOM_LENGTH = 40;
const SHOWN_LENGTH = 10;
const CHANNEL = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$/;

export interface Channel {
	readonly channel: string;
	/** SHA-256 of the key. */
	readonly keyHash: string;
}

/** Makes a key for a channel; `value` is the only time that it can be seen. Throws `invalid_input`. */
export async function createProvisionKey(
	deps: ChangeDeps,
	channel: string,
): Promise<{ row: ProvisionKeyRow; value: string }> {
	if (!CHANNEL.test(channel)) {
		throw new ServiceError("invalid_input", "A channel has 1 to 64 letters, digits, dots, dashes and underscores");
	}
	const value = PREFIX + randomAlphanumeric(RANDOM_LENGTH);
	const now = deps.clock.now();
	const row = await deps.metadata.transaction().execute(async (trx) => {
		const inserted = await provisionKeys.insert(trx, {
			channel,
			key_hash: sha256Hex(value),
			key_prefix: value.slice(0, SHOWN_LENGTH),
			created_at: now,
		});
		await recordAudit(trx, systemActor, { action: "token.created", ...entryOf(inserted) }, now);
		return inserted;
	});
	return { row, value };
}

/** Revokes a key at once; throws `not_found` when it is unknown or revoked already. */
export async function revokeProvisionKey(deps: ChangeDeps, id: number): Promise<ProvisionKeyRow> {
	const now = deps.clock.now();
	return deps.metadata.transaction().execute(async (trx) => {
		const row = await provisionKeys.update(trx, { id, revoked_at: null }, { revoked_at: now });
		if (row === undefined) throw new ServiceError("not_found", `There is no live provision key ${id}`);
		await recordAudit(trx, systemActor, { action: "token.revoked", ...entryOf(row) }, now);
		return row;
	});
}

const entryOf = ({ id, channel }: ProvisionKeyRow) => ({
	resourceId: id,
	details: { kind: "provision_key", channel },
});

/** The channel of a key; throws `unauthorized` with the message `provision_key_required` or `invalid_provision_key`. */
export async function findChannel(
	deps: Pick<ProvisioningDeps, "metadata" | "provisionKeys">,
	key: string | undefined,
): Promise<Channel> {
	const given = key?.trim() ?? "";
	if (given === "") throw new ServiceError("unauthorized", "provision_key_required");
	const keyHash = sha256Hex(given);
	// All of them are compared, so that the time tells nothing of their order.
	const [configured] = deps.provisionKeys.filter((known) => equalConstantTime(known.key, given));
	const stored = await provisionKeys.find(deps.metadata, { key_hash: keyHash, revoked_at: null });
	const channel = orThrow(configured?.channel ?? stored?.channel, "unauthorized", "invalid_provision_key");
	return { channel, keyHash };
}
