import type { SendMailOptions } from "nodemailer";

/** A paragraph, its main sentence, a link (a button unless quiet), or a table of rows with their labels first; all tables have the same columns. */
export type MailPart =
	| string
	| { readonly lead: string }
	| { readonly link: string; readonly label: string; readonly isQuiet?: boolean }
	| { readonly rows: readonly (readonly string[])[]; readonly heads?: readonly string[] };

/** A message to one person. User text (names, titles) may be part of it unescaped. */
export interface Mail {
	/** One bare address. */
	readonly to: string;
	readonly subject: string;
	readonly body: readonly MailPart[];
	/** Where mail programs unsubscribe the receiver with one click: takes a POST without a sign-in (RFC 8058). */
	readonly unsubscribe?: string;
	/** Names the mail for those who want to hear that its receiver does not exist. */
	readonly reference?: string;
}

/** A mail with what makes it the same one at every attempt. */
export interface QueuedMail extends Mail {
	readonly id: string;
	readonly queuedAt: number;
	/** Queued for the time that it takes, not to be sent. */
	readonly isPretended: boolean;
}

/** A mail in the form of the wire. */
export interface MailMessage {
	readonly id: string;
	/** Of the job that sends it: counts up. */
	readonly number: number;
	readonly from: { readonly name: string; readonly address: string };
	readonly to: string;
	readonly subject: string;
	readonly date: Date;
	readonly text: string;
	readonly html: string;
	readonly unsubscribe?: string;
}

/** The way out for mails. */
export interface MailTransport {
	/** Resolves when the other side has the message; throws a `JobFailure` otherwise. */
	send(message: MailMessage): Promise<void>;
	/** Throws when messages cannot be handed over at present; answers a note for the operator. */
	check(): Promise<string>;
}

/** A message in nodemailer's terms. Nothing in it makes nodemailer read a file or an address. */
export function composeMail({ id, from, to, subject, date, text, html, unsubscribe }: MailMessage): SendMailOptions {
	return {
		from,
		to: { name: "", address: to },
		envelope: { from: from.address, to: [to] },
		// As it stands, a word that looks encoded would be decoded by its reader (RFC 2047).
		subject: subject.replaceAll("=?", "= ?"),
		date,
		messageId: `<${id}@${from.address.split("@").at(-1)}>`,
		// Receivers' holiday notices stay away (RFC 3834).
		headers: { "Auto-Submitted": "auto-generated", ...(unsubscribe !== undefined && unsubscribeHeaders(unsubscribe)) },
		text,
		html,
		xMailer: false,
		disableFileAccess: true,
		disableUrlAccess: true,
	};
}

/** RFC 2369 and RFC 8058; the address is on one line and holds no angle bracket. */
const unsubscribeHeaders = (url: string) => ({
	"List-Unsubscribe": `<${url}>`,
	"List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
});
