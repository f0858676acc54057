import { accessLog } from "./access-log/index.ts";
import type { ImportFormat, ImportSource } from "./format.ts";
import { ga4 } from "./ga4.ts";
import { legacyRows } from "./legacy-rows.ts";
import { matomo } from "./matomo.ts";
import { plausible } from "./plausible.ts";
import { umami } from "./umami.ts";

/** The formats by their names. */
export const importFormats: Readonly<Partial<Record<ImportSource, ImportFormat>>> = {
	ga4_csv: ga4,
	plausible_zip: plausible,
	umami_csv: umami,
	matomo_csv: matomo,
	access_log: accessLog,
	legacy_service: legacyRows,
};

/** The zone of times without an offset in files of a source, unless the user names one. */
export const defaultTimezone = (source: ImportSource, siteTimezone: string): string =>
	importFormats[source]?.timezone ?? siteTimezone;
