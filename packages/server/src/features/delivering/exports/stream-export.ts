import type { Readable } from "node:stream";
import { fileContent, type WrittenFormat } from "../../../analytics/query/files/file-content.ts";
import type { EventStore } from "../../../platform/event-store/event-store.ts";
import { beginFile } from "../../../platform/http/begin-file.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Lane } from "../../../platform/lib/lane.ts";
import { countRows } from "./estimate.ts";
import { type ExportInput, type ExportSite, parseExport } from "./parse.ts";
import { questionOf } from "./question.ts";

const MAX_ROWS = 10_000;

/** The file of an export as it is made, or why it does not come in this way. */
export async function streamExport(
	deps: { readonly eventStore: EventStore; readonly clock: Clock; readonly places: Lane },
	site: ExportSite,
	input: Omit<ExportInput, "format"> & { readonly format: WrittenFormat },
): Promise<{ readonly file: Readable } | { readonly tooMany: string }> {
	const parsed = parseExport(site, deps.clock, input);
	const rows = await countRows(deps, site, parsed);
	if (rows > MAX_ROWS) {
		return { tooMany: `${rows} rows are more than the ${MAX_ROWS} of a stream; POST /exports makes a file of them` };
	}
	return { file: await beginFile(deps.places, fileContent(deps, questionOf(site, deps.clock, parsed), input.format)) };
}
