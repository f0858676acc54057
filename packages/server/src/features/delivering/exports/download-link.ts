import { randomBytes } from "node:crypto";
import { deriveKey, seal, sha256Hex, unseal } from "../../../platform/lib/crypto.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { ExportDeps } from "./deps.ts";
import type { ExportRow } from "./store.ts";

const HOURS = 24;

/** A token as clients write it. */
export const DOWNLOAD_TOKEN = /^[\w-]{43}$/;

const keyFor = (secretKey: string, jobId: string) => deriveKey(secretKey, `export ${jobId}`);

/** A new token for an export's file, as it is stored: found by its hash, shown again by unsealing it. */
export function newDownload(deps: Pick<ExportDeps, "secretKey" | "clock">, jobId: string) {
	const token = randomBytes(32).toString("base64url");
	return {
		download_token_hash: sha256Hex(token),
		download_token: seal(keyFor(deps.secretKey, jobId), token),
		download_expires_at: deps.clock.now() + HOURS * HOUR_MS,
	};
}

/** The address of an export's file; null when it has none. */
export function downloadUrl(
	deps: Pick<ExportDeps, "secretKey" | "secretKeyPrevious" | "rootUrl">,
	row: ExportRow,
): string | null {
	const { download_token: sealed, job_id: jobId } = row;
	if (row.status !== "completed" || sealed === null) return null;
	const { secretKey, secretKeyPrevious } = deps;
	const token =
		unseal(keyFor(secretKey, jobId), sealed) ??
		(secretKeyPrevious === undefined ? undefined : unseal(keyFor(secretKeyPrevious, jobId), sealed));
	if (token === undefined) return null;
	return `${deps.rootUrl}/api/v1/exports/download/${token}?account_id=${encodeURIComponent(row.site_id)}`;
}
