import type { SendMailOptions } from "nodemailer";
import type { MailMessage } from "./mail.ts";

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
