import { cleanLabel, storedLabel } from "../../../analytics/attribution/clean-text.ts";
import type { EventKind } from "../../../analytics/model/event-columns.ts";
import { isRecord } from "../../../platform/lib/is-record.ts";

/** Forms of an amount; the first match decides. A single comma before three digits separates thousands. */
const forms: readonly (readonly [form: RegExp, thousands: "," | "."])[] = [
	[/^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/, ","],
	[/^[+-]?[1-9]\d{0,2}(?:,\d{3})+(?:\.\d+)?$/, ","],
	[/^[+-]?(?:[1-9]\d{0,2}(?:\.\d{3})+|\d+),\d+$/, "."],
	[/^[+-]?[1-9]\d{0,2}(?:\.\d{3}){2,}$/, "."],
];
/** A number holds so many digits, whatever they are. */
const MAX_DIGITS = 15;
/** With a sign, and with separators of thousands and of decimals. */
const LONGEST = MAX_DIGITS + 6;

type Amount = number | string | boolean | null | undefined;

function isAmount(value: unknown): value is Amount {
	return value === undefined || value === null || ["number", "string", "boolean"].includes(typeof value);
}

/** An amount, as a number or text; 0 when absent or blank, `NaN` for a boolean, for no number, and for too many digits. */
function readAmount(value: Amount): number {
	if (typeof value === "boolean") return Number.NaN;
	if (typeof value !== "string") return value ?? 0;
	const text = value.trim();
	if (text === "") return 0;
	if (text.length > LONGEST || text.replace(/\D/g, "").length > MAX_DIGITS) return Number.NaN;
	const thousands = forms.find(([form]) => form.test(text))?.[1];
	return thousands === undefined ? Number.NaN : Number(text.replaceAll(thousands, "").replace(",", "."));
}

/** The amount of a conversion: its own field, else the property `amount` or `value` where that can be read as one. */
function amountOf(own: Amount, properties: Readonly<Record<string, unknown>>): number {
	if (!isBlank(own)) return readAmount(own);
	const found = [properties.amount, properties.value].find(
		(value) => isAmount(value) && !isBlank(value) && Number.isFinite(readAmount(value)),
	);
	return readAmount(found as Amount);
}

const isBlank = (value: Amount): boolean => value === undefined || value === null || `${value}`.trim() === "";

/** Currency of an amount in capitals: its own field, else the property `currency` if that is a code; empty if there is none. */
function readCurrency(own: unknown, properties: Readonly<Record<string, unknown>>): string {
	return codeOf(own) || codeOf(properties.currency);
}

const codeOf = (value: unknown): string =>
	typeof value === "string" && /^\s*[a-z]{3}\s*$/i.test(value) ? value.trim().toUpperCase() : "";

export const MAX_BODY_BYTES = 15 * 1024;

/** Checked payload of the tracker; only property values may have control characters. Names are as stored. */
export interface Payload {
	readonly siteId: string;
	readonly token: string;
	readonly url: string;
	readonly referrer: string;
	/** IANA zone of the browser. */
	readonly zone: string;
	readonly contentGroup: string;
	readonly kind: Extract<EventKind, "pageview" | "conversion" | "microconversion">;
	/** Type of a conversion or microconversion; empty on page views. */
	readonly eventType: string;
	/** Of a conversion; `NaN` where what was sent cannot be read. */
	readonly amount: number;
	/** That of the amount, in capitals; empty where none is named. */
	readonly currency: string;
	readonly properties: Readonly<Record<string, unknown>>;
}

const NO_PROPERTIES: Readonly<Record<string, unknown>> = Object.freeze({});

/** A body that is no payload, and the site that it names all the same. */
interface Malformed {
	readonly malformed: true;
	readonly siteId: string;
}

/** The payload in a body: the form field `d`, or the JSON itself. Malformed when it is neither or a field has the wrong type. */
export function readPayload(body: string): Payload | Malformed {
	const fields = parseObject(body);
	const payload = fields && checkFields(fields);
	return payload ?? { malformed: true, siteId: text(fields?.a) ?? "" };
}

function checkFields(fields: Readonly<Record<string, unknown>>): Payload | undefined {
	const siteId = text(fields.a);
	const token = text(fields.t);
	const url = text(fields.u);
	const referrer = text(fields.r);
	const zone = text(fields.z);
	const contentGroup = text(fields.g);
	const hint = text(fields.s);
	const event = text(fields.e);
	const browserClock = fields.c ?? 0;
	const properties = fields.x ?? NO_PROPERTIES;
	if (siteId === undefined || token === undefined || url === undefined || referrer === undefined) return undefined;
	if (zone === undefined || contentGroup === undefined || hint === undefined || event === undefined) return undefined;
	if (!Number.isInteger(browserClock) || !isRecord(properties)) return undefined;
	if (!isAmount(fields.v)) return undefined;
	const eventType = storedLabel(event, 100);
	if (eventType === "" && fields.e !== undefined && fields.e !== null) return undefined;
	const kind = eventType === "" ? "pageview" : isMicro(fields.m) ? "microconversion" : "conversion";
	return {
		siteId,
		token,
		url,
		referrer,
		zone,
		contentGroup: storedLabel(contentGroup, 64),
		kind,
		eventType,
		amount: kind === "conversion" ? amountOf(fields.v, properties) : 0,
		currency: kind === "conversion" ? readCurrency(fields.k, properties) : "",
		properties,
	};
}

function parseObject(body: string): Record<string, unknown> | undefined {
	try {
		const value: unknown = JSON.parse(body.trimStart().startsWith("{") ? body : formField(body));
		return isRecord(value) ? value : undefined;
	} catch {
		return undefined;
	}
}

function formField(body: string): string {
	if (body.startsWith("d=") && !body.includes("&")) return decodeURIComponent(body.slice(2).replaceAll("+", " "));
	return new URLSearchParams(body).get("d") ?? "";
}

/** A text without control characters. Absent and null mean empty; undefined means: not a text. */
function text(value: unknown): string | undefined {
	if (value === undefined || value === null) return "";
	return typeof value === "string" ? cleanLabel(value) : undefined;
}

const isMicro = (value: unknown) =>
	value === true || value === "true" || value === "1" || (typeof value === "number" && value !== 0);
