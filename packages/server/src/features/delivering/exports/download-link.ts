import { randomBytes } from "node:crypto";
import { sha256Hex } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import { createSealer, type ServerSecrets } from "../../../platform/lib/sealer.ts";
import type { ExportDeps } from "./deps.ts";
import type { ExportRow } from "./store.ts";

const HOURS = 24;

/** A token as clients write it. */
export const DOWNLOAD_TOKEN = /^[\w-]{43}$/;

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

/** The address of an export's file; null when it has none. */
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
