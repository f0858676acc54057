import type { EventMigration } from "./migration.ts";

/** The form of paths that hits are stored with since: RFC 3986, 6.2.2. */
const canonical = (text: string) =>
	`arrayStringConcat(arrayMap(part -> multiIf(match(part, '^%[0-9A-Fa-f]{2}$'), if(match(unhex(substring(part, 2)), '^[A-Za-z0-9._~-]$'), unhex(substring(part, 2)), upper(part)), match(part, '^[^\\\\x00-\\\\x7F]'), replaceRegexpAll(hex(part), '..', '%\\\\0'), part), extractAll(${text}, '%[0-9A-Fa-f]{2}|[^\\\\x00-\\\\x7F]|%|[\\\\x00-\\\\x24\\\\x26-\\\\x7F]+')))`;

/** Paths whose one form is another: few of them have an escape in small letters, or one that means itself. */
const MAY_DIFFER =
	"'%[0-9A-Fa-f]?[a-f]|%[a-f]|%(2[dDeE]|3[0-9]|4[1-9a-fA-F]|5[0-9aAfF]|6[1-9a-fA-F]|7[0-9aAeE])|[^\\\\x00-\\\\x7F]'";

/** Rows that were stored with another spelling of their paths join those of today. */
export const canonicalPaths: EventMigration = {
	version: 3,
	name: "canonical-paths",
	statements: ({ cluster }) => [
		[
			`ALTER TABLE ${cluster === undefined ? "events" : `events_local ON CLUSTER \`${cluster}\``} UPDATE`,
			`\tpath = ${canonical("path")},`,
			`\tlanding_path = ${canonical("landing_path")},`,
			`\tproperties = if(event_type = '404' AND mapContains(properties, 'path'), mapUpdate(properties, map('path', ${canonical("properties['path']")})), properties)`,
			`WHERE match(path, ${MAY_DIFFER}) OR match(landing_path, ${MAY_DIFFER}) OR (event_type = '404' AND match(properties['path'], ${MAY_DIFFER}))`,
			"SETTINGS mutations_sync = 2",
		].join("\n"),
	],
};
