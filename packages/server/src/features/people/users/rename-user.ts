import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, changedFields, recordAudit } from "../../auditing/audit-log/index.ts";
import { findUser, lockUser, updateUser } from "./store.ts";

/** Gives a user another name; throws `user_not_found`. */
export async function renameUser(
	deps: { metadata: Metadata; clock: Clock },
	{ userId, name }: { userId: number; name: string },
	actor: Actor,
): Promise<void> {
	const now = deps.clock.now();
	await deps.metadata.transaction().execute(async (metadata) => {
		await lockUser(metadata, userId);
		const user = await findUser(metadata, userId);
		if (user === undefined) throw new ServiceError("user_not_found");
		if (user.name === name) return;
		await updateUser(metadata, userId, { name, updated_at: now });
		const details = changedFields({ name: user.name }, { name });
		await recordAudit(metadata, actor, { action: "user.updated", resourceId: userId, details }, now);
	});
}
