import { ServiceError } from "../../../platform/errors/service-error.ts";
import { removeImport } from "../imports/index.ts";
import type { MigrationDeps } from "./deps.ts";
import { stateOf } from "./state.ts";
import { type MigrationRow, updateUnfinished } from "./store.ts";

/** Cancels a running job and deletes its written rows. Throws `conflict` for one that has ended. */
export async function cancelMigration(
	{ imports }: MigrationDeps,
	site: { readonly id: string; readonly organizationId: string },
	found: MigrationRow,
): Promise<void> {
	const { metadata, clock } = imports;
	const { row, imported } = await stateOf(metadata, found);
	const ended = { status: "cancelled" as const, sealed_login: null, current_step: null, completed_at: clock.now() };
	if (row.status !== "pending" && row.status !== "running") {
		throw new ServiceError("conflict", { message: `The job has ended: it is ${row.status}` });
	}
	if (imported !== undefined) await removeImport(imports, { site, importId: row.import_id });
	if ((await updateUnfinished(metadata, row.id, ended)) === undefined) {
		throw new ServiceError("conflict", { message: "The job has ended meanwhile" });
	}
}
