import { ServiceError } from "../../../../platform/errors/service-error.ts";
import { sha256Hex } from "../../../../platform/lib/crypto.ts";
import { randomToken } from "../../../../platform/lib/ids.ts";
import { addedFields, type ChangeDeps, recordAudit, userActor } from "../../../auditing/audit-log/index.ts";
import { hasSuperadmin, insertUser, newUserRow, type UserRow } from "../../users/index.ts";
import { replaceSetupLink, setupLinkExists, takeSetupLink } from "../session/store.ts";

/**
 * The one-time link that creates the first account; undefined if there is a superadmin. Other users do not count, so
 * that an early registration cannot lock the operator out. Each call revokes earlier links. Only a hash of the token is
 * stored. `rootUrl` has no slash at its end.
 */
export async function createFirstRunLink(deps: ChangeDeps & { readonly rootUrl: string }): Promise<string | undefined> {
	const token = randomToken();
	const made = await deps.metadata.transaction().execute(async (metadata) => {
		if (await hasSuperadmin(metadata)) return false;
		await replaceSetupLink(metadata, sha256Hex(token), deps.clock.now());
		return true;
	});
	return made ? `${deps.rootUrl}/setup?token=${token}` : undefined;
}

/** True while the link opens the setup page: not used, not replaced, and no superadmin exists. */
export async function isSetupLinkOpen(deps: ChangeDeps, token: string): Promise<boolean> {
	return (await setupLinkExists(deps.metadata, sha256Hex(token))) && !(await hasSuperadmin(deps.metadata));
}

/**
 * Creates the first account, a superadmin, and uses the link up.
 * Throws `not_found` when the link is dead, `validation_error` for a field.
 */
export async function createFirstUser(
	deps: ChangeDeps,
	input: { token: string; email: string; name: string; password: string; ip: string },
): Promise<UserRow> {
	const now = deps.clock.now();
	const row = await newUserRow({ ...input, role: "superadmin" }, now);
	return deps.metadata.transaction().execute(async (metadata) => {
		const taken = await takeSetupLink(metadata, sha256Hex(input.token));
		if (!taken || (await hasSuperadmin(metadata)))
			throw new ServiceError("not_found", { message: "The link is no longer valid" });
		const user = await insertUser(metadata, row);
		const details = addedFields({ email: user.email, name: user.name, role: user.role });
		const entry = { action: "user.created", resourceId: user.id, details } as const;
		await recordAudit(metadata, userActor(user.id, input.ip), entry, now);
		return user;
	});
}
