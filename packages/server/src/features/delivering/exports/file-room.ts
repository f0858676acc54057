import { ServiceError } from "../../../platform/errors/service-error.ts";
import { HOUR_MS } from "../../../platform/lib/durations.ts";
import type { ExportDeps } from "./deps.ts";
import { selectKept } from "./store.ts";

/** Files that a site may keep, and all sites together. */
const SITE_FILES = 200;
const ALL_FILES = 10_000;
/** Of the bytes of all sites, one may keep this share. */
const SITE_SHARE = 0.25;
const RETRY_AFTER_SECONDS = HOUR_MS / 1000;

type RoomDeps = Pick<ExportDeps, "metadata" | "files" | "maxBytes">;

const full = (message: string) => new ServiceError("service_unavailable", { message, retryAfter: RETRY_AFTER_SECONDS });

/**
 * Bytes that a file of the site may have, so that files stay within what a site and the server keep, and the disk does not
 * fill up. Throws `quota_exceeded` when the site has no room for another one of so many bytes, `service_unavailable` when the
 * server has none.
 */
export async function roomForFile(
	{ metadata, files, maxBytes }: RoomDeps,
	siteId: string,
	bytes: number,
): Promise<number> {
	const { ofSite, ofAll } = await selectKept(metadata, siteId);
	const ofSiteLeft = maxBytes * SITE_SHARE - ofSite.bytes;
	if (ofSite.files > SITE_FILES || bytes > ofSiteLeft) {
		throw new ServiceError("quota_exceeded", {
			message: "The site has reached its number of export files. Delete some, or wait until they expire",
			retryAfter: RETRY_AFTER_SECONDS,
		});
	}
	const left = Math.min(ofSiteLeft, maxBytes - ofAll.bytes);
	if (ofAll.files > ALL_FILES || bytes > left) throw full("The server keeps as many export files as it may");
	const onDisk = await files.room();
	if (bytes > onDisk) throw full("The server has too little disk space for export files");
	return Math.min(left, onDisk);
}
