import { access, constants, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import addressparser from "nodemailer/lib/addressparser";
import { syncDirectory, writeAtomic } from "../../files/write-atomic.ts";
import { JobFailure } from "../../jobs/job-failure.ts";
import type { JobContext, Jobs } from "../../jobs/jobs.ts";
import type { Clock } from "../../lib/clock.ts";
import { DAY_MS } from "../../lib/durations.ts";
import { escapeHtml } from "../../lib/escape-html.ts";
import { uuid } from "../../lib/ids.ts";
import { once } from "../../lib/once.ts";
import { createValueSealer } from "../../lib/sealer.ts";
import type { Log } from "../../log/log.ts";
import type { Metadata } from "../../metadata/metadata.ts";
import {
	composeMail,
	type Mail,
	type MailMessage,
	type MailPart,
	type MailTransport,
	type QueuedMail,
} from "./mail.ts";
import { smtpTransport } from "./smtp.ts";

/** Line ends and other control characters, and the signs that turn the direction of writing. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text on one line: a name that a person chose adds neither a header nor a paragraph. */
const oneLine = (text: string): string => text.replace(unprintable, " ").trim();

const escaped = (text: string): string => escapeHtml(oneLine(text));

function textOf(part: MailPart): string {
	if (typeof part === "string") return oneLine(part);
	if ("lead" in part) return oneLine(part.lead);
	if ("rows" in part) return [...(part.heads ? [part.heads] : []), ...part.rows].map(textRow).join("\n");
	return `${oneLine(part.label)}:\n${part.link}`;
}

/** Characters of the columns of a table: of its labels, and of each figure. */
const LABEL_WIDTH = 32;
const CELL_WIDTH = 15;

/** A label that is too long for its column has a line of its own. */
function textRow([label = "", ...cells]: readonly string[]): string {
	const name = oneLine(label);
	const figures = cells.map((cell) => oneLine(cell).padStart(CELL_WIDTH)).join("");
	if (figures === "") return name;
	return [...name].length > LABEL_WIDTH
		? `${name}\n${" ".repeat(LABEL_WIDTH)}${figures}`
		: name.padEnd(LABEL_WIDTH) + figures;
}

const paragraphStyle = "margin:0 0 16px;overflow-wrap:anywhere";
const leadStyle = "margin:0 0 8px;font-size:22px;line-height:1.35;font-weight:600;overflow-wrap:anywhere";
const buttonStyle =
	"display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none";
// Legible on light and on dark.
const quietStyle = "color:#757575;font-size:14px";

const tableStyle =
	"margin:0 0 24px;width:100%;table-layout:fixed;border-collapse:collapse;font-size:15px;font-variant-numeric:tabular-nums";
const rowStyle = "padding:6px 0;vertical-align:top;overflow-wrap:anywhere;border-bottom:1px solid #e3e3e3";
const labelStyle = `${rowStyle};text-align:left`;
const cellStyle = `${rowStyle};padding-left:8px;text-align:right`;
/** Widths of the columns behind the label, which has the rest. */
const cellWidths = ["29%", "25%"];

function htmlOf(part: MailPart): string {
	if (typeof part === "string") return `<p style="${paragraphStyle}">${escaped(part)}</p>`;
	if ("lead" in part) return `<p style="${leadStyle}">${escaped(part.lead)}</p>`;
	if ("rows" in part) return htmlTable(part);
	const style = part.isQuiet === true ? quietStyle : buttonStyle;
	return `<p style="${paragraphStyle}"><a href="${escaped(part.link)}" style="${style}">${escaped(part.label)}</a></p>`;
}

function htmlTable({ heads, rows }: Extract<MailPart, { rows: unknown }>): string {
	const columns = (heads ?? rows[0] ?? []).slice(1).map((_, index) => `<col style="width:${cellWidths[index]}">`);
	const head = heads ? `<thead>${htmlRow(heads, "col")}</thead>` : "";
	const body = rows.map((row) => htmlRow(row, "row")).join("");
	return `<table style="${tableStyle}"><colgroup><col>${columns.join("")}</colgroup>${head}<tbody>${body}</tbody></table>`;
}

/** The label names its row; in a row of headings every cell names its column. */
function htmlRow([label = "", ...cells]: readonly string[], scope: "row" | "col"): string {
	const [tag, weight] = scope === "col" ? ['th scope="col"', 600] : ["td", 400];
	const figures = cells.map(
		(cell) => `<${tag} style="${cellStyle};font-weight:${weight}">${escaped(cell)}</${tag.slice(0, 2)}>`,
	);
	return `<tr><th scope="${scope}" style="${labelStyle};font-weight:${weight}">${escaped(label)}</th>${figures.join("")}</tr>`;
}

/** Programs that know no style sheets in mails invert the colours by themselves. */
const darkStyle =
	"@media (prefers-color-scheme:dark){body{background:#16181c!important;color:#e8e9eb!important}th,td{border-color:#3b3e44!important}a[style*='757575']{color:#a3a6ab!important}}";

function renderMail({ subject, body }: Pick<Mail, "subject" | "body">) {
	return {
		subject: oneLine(subject),
		text: `${body.map(textOf).join("\n\n")}\n`,
		html: [
			"<!doctype html>",
			'<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">',
			`<meta name="color-scheme" content="light dark"><style>${darkStyle}</style><title>${escaped(subject)}</title></head>`,
			'<body style="margin:0;padding:24px 16px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#ffffff">',
			'<div style="max-width:560px;margin:0 auto">',
			...body.map(htmlOf),
			"</div></body></html>",
			"",
		].join("\n"),
	};
}

export type { Mail } from "./mail.ts";

/** Sends mails, at least once each. */
export interface Mailer {
	/** No mail is sent: each becomes a file in the outbox. */
	readonly isOutbox: boolean;
	/** Stores a mail with its change; it is sent after the transaction has committed, or never. */
	queue(trx: Metadata, mail: Mail): Promise<void>;
	/** Takes as long as queuing the mail, and sends nothing: for answers that must not tell whether there was one to send. */
	pretend(trx: Metadata, mail: Mail): Promise<void>;
	/** Adds a listener: told the reference of a mail whose receiver the mail server refuses for good. */
	onRefused(listener: (reference: string) => Promise<void>): void;
	/** Throws when no mail can leave at present; answers a note for the operator. */
	check(): Promise<string>;
}

interface MailerDeps {
	readonly jobs: Jobs;
	readonly clock: Clock;
	readonly log: Log;
	readonly secretKey: string;
	/** The one before, while mails that it sealed may still wait. */
	readonly secretKeyPrevious?: string | undefined;
	readonly dataDir: string;
	readonly mailFrom: string;
	/** Without one, mails are files in the outbox. */
	readonly smtpUrl?: string | undefined;
	/** Another way out than these two. */
	readonly transport?: MailTransport;
}

const OUTBOX_KEPT_MS = 30 * DAY_MS;
/** Temporary refusals are tried again for about eight hours. */
const MAX_ATTEMPTS = 12;
const address = /^[^\s@,;<>"\p{Cc}]+@[^\s@,;<>"\p{Cc}]+$/u;

/** The mailer of this service; the jobs it makes are sealed, for links in mails open accounts. */
export function createMailer(deps: MailerDeps): Mailer {
	const { jobs, clock, smtpUrl } = deps;
	const secrets = { secretKey: deps.secretKey, secretKeyPrevious: deps.secretKeyPrevious };
	const sealer = createValueSealer<QueuedMail>(secrets, "mail");
	const from = addressparser(deps.mailFrom, { flatten: true })[0] ?? {
		name: "Footfall",
		address: "footfall@localhost",
	};
	const listeners: ((reference: string) => Promise<void>)[] = [];
	const transport = deps.transport ?? (smtpUrl === undefined ? outbox(deps) : smtpTransport(smtpUrl));
	const send = async ({ sealed }: { sealed: string }, job: JobContext) => {
		const opened = sealer.open(sealed);
		if (opened === undefined) {
			throw new JobFailure("SECRET_KEY is another one than when this mail was queued", { isFinal: true });
		}
		const { id, to, queuedAt, isPretended, unsubscribe, reference, ...mail } = opened;
		if (isPretended) return;
		const message = { id, number: job.id, from, to, date: new Date(queuedAt), ...renderMail(mail) };
		try {
			await transport.send({ ...message, ...(unsubscribe !== undefined && { unsubscribe }) });
		} catch (error) {
			const isRefused = error instanceof JobFailure && error.isFinal;
			if (isRefused && reference !== undefined) for (const listener of listeners) await listener(reference);
			throw error;
		}
	};
	jobs.register("mail", send, { maxAttempts: MAX_ATTEMPTS, leaseMs: 180_000, concurrency: 3 });
	const store = async (trx: Metadata, mail: Mail, isPretended: boolean) => {
		checkMail(mail);
		const queued: QueuedMail = { ...mail, id: uuid(), queuedAt: clock.now(), isPretended };
		await jobs.enqueue(trx, { kind: "mail", payload: { sealed: sealer.seal(queued) } });
	};
	return {
		isOutbox: deps.transport === undefined && smtpUrl === undefined,
		queue: (trx, mail) => store(trx, mail, false),
		pretend: (trx, mail) => store(trx, mail, true),
		onRefused: (listener) => void listeners.push(listener),
		check: () => transport.check(),
	};
}

/** Addresses and links come checked from the features: this is the last line, against several receivers and script links. */
function checkMail({ to, body, unsubscribe }: Mail): void {
	if (!address.test(to)) throw new TypeError("A mail goes to one bare address");
	const links = body.flatMap((part) => (typeof part !== "string" && "link" in part ? [part.link] : []));
	if (!links.every((link) => /^https?:\/\/\S+$/.test(link)))
		throw new TypeError("A link in a mail leads to a web page");
	if (unsubscribe !== undefined && !/^https?:\/\/[^\s<>]+$/.test(unsubscribe)) {
		throw new TypeError("A mail is unsubscribed at a web page");
	}
}

/** Writes each message to a file of its own, readable by this service's user alone: for a service without a mail server. */
function outbox({ jobs, clock, log, dataDir }: MailerDeps): MailTransport {
	const directory = join(dataDir, "outbox");
	jobs.schedule("outbox-retention", "29 3 * * *", () => cleanOutbox(directory, clock.now() - OUTBOX_KEPT_MS));
	// Loaded with the first mail.
	const composer = once(async () => {
		const { createTransport } = await import("nodemailer");
		return createTransport({ streamTransport: true, buffer: true, newline: "unix" });
	});
	return {
		send: async (message) => {
			const { text: _, html: __, ...mail } = composeMail(message);
			const alternatives = [part("plain", message.text), part("html", message.html)];
			const { message: content } = await (await composer()).sendMail({ ...mail, alternatives });
			const file = fileName(message);
			const made = await mkdir(directory, { recursive: true, mode: 0o700 });
			if (made !== undefined) await syncDirectory(dirname(made));
			await writeAtomic(join(directory, file), [content as Buffer]);
			log.info({ file }, "Email written to the outbox");
		},
		check: async () => {
			await mkdir(directory, { recursive: true, mode: 0o700 });
			await access(directory, constants.W_OK);
			return "mails are written to DATA_DIR/outbox";
		},
	};
}

/** A part that is read in an editor too: quoted-printable would break its links (RFC 2045 §6.7). */
const part = (type: "plain" | "html", text: string) => ({
	raw: `Content-Type: text/${type}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n${text}`,
});

/** Removes the files of mails that were queued before a moment: they hold addresses, and links whose time is long over. */
async function cleanOutbox(directory: string, beforeMs: number): Promise<void> {
	const files = await readdir(directory).catch(() => []);
	const last = stamp(new Date(beforeMs));
	for (const file of files.filter((name) => name.endsWith(".eml") && name < last)) await rm(join(directory, file));
}

const stamp = (date: Date): string => date.toISOString().replaceAll(":", "-");

/** Sorts by time; another attempt at the same mail writes the same file. */
const fileName = ({ number, date }: MailMessage): string => `${stamp(date)}-${String(number).padStart(6, "0")}.eml`;
