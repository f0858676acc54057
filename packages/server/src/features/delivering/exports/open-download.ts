import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { StoredFile } from "../../../platform/files/file-store.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { findOrganization } from "../../tenancy/organizations/index.ts";
import { findSite } from "../../tenancy/sites/index.ts";
import type { ExportDeps } from "./deps.ts";
import { DOWNLOAD_TOKEN } from "./download-link.ts";
import { endedWithSite } from "./ended-sites.ts";
import { type ExportRow, findExportByToken } from "./store.ts";

const notFound = () => new ServiceError("not_found", { message: "There is no such file, or its link has expired" });

interface Visitor {
	readonly ip: string;
	readonly userAgent: string | undefined;
}

/**
 * The file that a link leads to. Throws `not_found` for every link that does not lead to a file of that site now, and
 * `forbidden` when the site's IP allowlist shuts the address out.
 */
export async function openDownload(
	deps: ExportDeps,
	{ token, siteId }: { readonly token: string; readonly siteId: string },
	visitor: Visitor,
): Promise<{ readonly row: ExportRow; readonly file: StoredFile }> {
	if (!DOWNLOAD_TOKEN.test(token)) throw notFound();
	const row = await findExportByToken(deps.metadata, sha256Hex(token));
	if (row === undefined || row.site_id !== siteId || row.file_name === null) throw notFound();
	if (row.download_expires_at === null || row.download_expires_at <= deps.clock.now()) throw notFound();
	const organization = await findOrganization(deps.metadata, row.organization_id);
	const site = await findSite(deps.metadata, row.site_id);
	if (organization?.is_active !== 1 || site === undefined || endedWithSite(site, row)) throw notFound();
	await refuseShutSite(deps, row, visitor);
	const file = await deps.files.read(row.file_name);
	if (file === undefined) {
		deps.log.error({ export: row.job_id }, "The file of an export is missing");
		throw notFound();
	}
	return { row, file };
}

/** A link opens no site from where its users could not. */
async function refuseShutSite({ siteAddresses }: ExportDeps, row: ExportRow, visitor: Visitor): Promise<void> {
	if (!siteAddresses.hasRules(row.site_id)) return;
	const visit = {
		...visitor,
		credential: row.created_by_token === null ? ("session" as const) : ("key" as const),
		userId: row.created_by ?? 0,
		isSuperadmin: false,
	};
	if (await siteAddresses.admit(row.site_id, visit)) return;
	throw new ServiceError("forbidden", { message: "Access from this IP address is not allowed" });
}
