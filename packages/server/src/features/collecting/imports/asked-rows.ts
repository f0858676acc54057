import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { type Actor, recordAudit } from "../../auditing/audit-log/index.ts";
import type { ImportDeps } from "./deps.ts";
import { findImported, type ImportRow } from "./store.ts";

/** User and site of an import. */
export interface Importer {
	readonly site: { readonly id: string; readonly organizationId: string };
	readonly actor: Actor;
}

/** Throws `duplicate_entry` when the rows of the same file are there, or are going to be. */
export async function refuseDuplicate(
	trx: Metadata,
	of: { readonly siteId: string; readonly sha256: string; readonly besides?: string },
): Promise<void> {
	const other = await findImported(trx, of);
	if (other === undefined) return;
	throw new ServiceError("duplicate_entry", {
		message: `The same file was already imported, as ${other.import_id}; undo that import first`,
	});
}

/** Records that the rows of an import were asked for. */
export const noteStarted = (
	{ clock }: Pick<ImportDeps, "clock">,
	trx: Metadata,
	{ site, actor }: Importer,
	{ import_id, source, file_name, file_size_bytes }: ImportRow,
): Promise<void> =>
	recordAudit(
		trx,
		actor,
		{
			action: "import.started",
			resourceId: import_id,
			siteId: site.id,
			organizationId: site.organizationId,
			details: { source, file_name, file_size_bytes },
		},
		clock.now(),
	);
