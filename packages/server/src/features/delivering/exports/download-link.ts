import { randomBytes } from "node:crypto";
import type { SiteVisit } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { StoredFile } from "../../../platform/files/file-store.ts";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import { findOrganization } from "../../tenancy/organizations/index.ts";
import { findSite, type SiteRow } from "../../tenancy/sites/index.ts";
import type { ExportDeps } from "./deps.ts";
import { type ExportRow, exports } from "./store.ts";

const HOURS = 24;

const DOWNLOAD_TOKEN = /^[\w-]{43}$/;

const sealerOf = (secrets: ServerSecrets) => createSealer(secrets, "export");

/** A new token for an export's file, as it is stored: found by its hash, shown again by unsealing it. */
export function newDownload(deps: ServerSecrets & Pick<ExportDeps, "clock">, jobId: string) {
	const token = randomBytes(32).toString("base64url");
	return {
		download_token_hash: sha256Hex(token),
		download_token: sealerOf(deps).seal(jobId, token),
		download_expires_at: deps.clock.now() + HOURS * HOUR_MS,
	};
}

export function downloadUrl(
	deps: ServerSecrets & Pick<ExportDeps, "rootUrl">,
	row: Pick<ExportRow, "job_id" | "site_id" | "status" | "download_token">,
): string | null {
	const { download_token: sealed, job_id: jobId } = row;
	if (row.status !== "completed" || sealed === null) return null;
	const token = sealerOf(deps).open(jobId, sealed);
	if (token === undefined) return null;
	return `${deps.rootUrl}/api/v1/exports/download/${token}?account_id=${encodeURIComponent(row.site_id)}`;
}

/**
 * True for an export requested before its site was deleted: deleting a site ends its exports, and its members may still
 * request new files. The last change of a deleted site is its deletion, or came after it.
 */
export const endedWithSite = (
	site: Pick<SiteRow, "is_active" | "updated_at">,
	{ created_at: createdAt }: Pick<ExportRow, "created_at">,
): boolean => site.is_active !== 1 && createdAt <= (site.updated_at ?? createdAt);

const notFound = () => new ServiceError("not_found", "There is no such file, or its link has expired");

type Visitor = Pick<SiteVisit, "ip" | "userAgent">;

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
	const row = await exports.find(deps.metadata, { download_token_hash: sha256Hex(token), status: "completed" });
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
	throw new ServiceError("forbidden", "Access from this IP address is not allowed");
}
