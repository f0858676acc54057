import { CAMPAIGN_SEPARATOR, type EventColumn } from "./event-columns.ts";
import type { EventRow, SessionDimensions } from "./event-row.ts";

const escapes: Readonly<Record<string, string>> = {
	"\\": "\\\\",
	"'": "\\'",
	"\0": "\\0",
	"\b": "\\b",
	"\t": "\\t",
	"\n": "\\n",
	"\f": "\\f",
	"\r": "\\r",
};

const special = /[\\'\0\b\t\n\f\r]/;
const everySpecial = /[\\'\0\b\t\n\f\r]/g;

/** A text as ClickHouse's TabSeparated format writes it. */
export function tsvText(value: string): string {
	return special.test(value) ? value.replace(everySpecial, (character) => escapes[character] ?? "") : value;
}

/** A label as it is stored: without NUL, which separates the values of `campaign`, whoever makes the row. */
const tsvLabel = (value: string): string => tsvText(value.replaceAll(CAMPAIGN_SEPARATOR, ""));

/** An instant, in milliseconds since the Unix epoch: seconds with a fraction, as a bare integer would be read as seconds. */
export function tsvInstant(ms: number): string {
	const seconds = Math.floor(ms / 1000);
	return `${seconds}.${String(ms - seconds * 1000).padStart(3, "0")}`;
}

// `toFixed`, as an exponent such as 1e-7 would be misread.
function decimal(value: number): string {
	return Number.isSafeInteger(value) ? String(value) : value.toFixed(4);
}

function map(entries: Readonly<Record<string, string>>): string {
	let body = "";
	for (const key of Object.keys(entries)) {
		body += `${body === "" ? "" : ","}'${tsvText(key)}':'${tsvText(entries[key] ?? "")}'`;
	}
	return `{${body}}`;
}

/** The columns of a row that its session does not decide. */
export type OwnColumns = Omit<EventRow, keyof SessionDimensions>;

/**
 * One line of ClickHouse's TabSeparated format, line feed included, with the columns in the order of `eventColumns`.
 * Amounts keep four decimals; labels lose NUL, which only values of properties may hold.
 */
export const encodeEventRow = (row: EventRow): string => encodeInSession(row, row);

/** The line of a row whose session is told apart from it, as several rows have one session. */
export function encodeInSession(row: OwnColumns, session: SessionDimensions): string {
	const text = isPlain(row, session) ? asIs : tsvLabel;
	// In the order of the table, as the line follows the order of this object.
	const cells = {
		site: text(row.site),
		date: row.date,
		hour: String(row.hour),
		ts: tsvInstant(row.ts),
		session: row.session,
		kind: row.kind,
		path: text(row.path),
		content_group: text(row.content_group),
		referrer: text(session.referrer),
		landing_path: text(session.landing_path),
		landing_group: text(session.landing_group),
		utm_source: text(session.utm_source),
		utm_medium: text(session.utm_medium),
		utm_campaign: text(session.utm_campaign),
		utm_term: text(session.utm_term),
		utm_content: text(session.utm_content),
		country: text(session.country),
		device: session.device,
		browser: text(session.browser),
		os: text(session.os),
		channel: text(session.channel),
		clid: text(session.clid),
		event_type: text(row.event_type),
		properties: map(row.properties),
		amount: decimal(row.amount),
		bot_score: String(row.bot_score),
		bot_flags: String(row.bot_flags),
		import_id: text(row.import_id),
		entrance: String(row.entrance),
		rejoined: String(row.rejoined),
		engaged: String(row.engaged),
		page_view: String(row.page_view),
		conversion: String(row.conversion),
		microconversion: String(row.microconversion),
		revenue: decimal(row.revenue),
		visit_seconds: String(row.visit_seconds),
		visitor: String(row.visitor),
	} satisfies Record<EventColumn, string>;
	let line = "";
	let separator = "";
	for (const column in cells) {
		line += separator + cells[column as EventColumn];
		separator = "\t";
	}
	return `${line}\n`;
}

const asIs = (value: string): string => value;

/** Nearly all texts are plain: to look at all of a row at once costs less than at each. */
function isPlain(row: OwnColumns, session: SessionDimensions): boolean {
	const { referrer, landing_path, landing_group, country, browser, os, channel, clid } = session;
	const { utm_source, utm_medium, utm_campaign, utm_term, utm_content } = session;
	const own = row.site + row.path + row.content_group + row.event_type + row.import_id;
	const campaign = utm_source + utm_medium + utm_campaign + utm_term + utm_content;
	return !special.test(
		own + campaign + referrer + landing_path + landing_group + country + browser + os + channel + clid,
	);
}
