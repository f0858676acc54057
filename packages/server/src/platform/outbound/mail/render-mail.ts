import { escapeHtml } from "../../lib/escape-html.ts";
import type { Mail, MailPart } from "./mail.ts";

/** Line ends and other control characters, and the signs that turn the direction of writing. */
const unprintable = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]+/gu;

/** A text on one line: a name that a person chose adds neither a header nor a paragraph. */
const oneLine = (text: string): string => text.replace(unprintable, " ").trim();

const escaped = (text: string): string => escapeHtml(oneLine(text));

function textOf(part: MailPart): string {
	if (typeof part === "string") return oneLine(part);
	if ("rows" in part) return part.rows.map(textRow).join("\n");
	return `${oneLine(part.label)}:\n${part.link}`;
}

const textRow = ([label = "", ...cells]: readonly string[]): string =>
	[`${oneLine(label)}:`, ...cells.map(oneLine)].join("  ");

const paragraphStyle = "margin:0 0 16px";
const buttonStyle =
	"display:inline-block;padding:10px 18px;border-radius:6px;background:#1f4fd8;color:#ffffff;text-decoration:none";

const tableStyle = "margin:0 0 16px;border-collapse:collapse";
const labelStyle = "padding:4px 24px 4px 0;text-align:left;font-weight:400";
const cellStyle = "padding:4px 24px 4px 0;text-align:right;white-space:nowrap";

function htmlOf(part: MailPart): string {
	if (typeof part === "string") return `<p style="${paragraphStyle}">${escaped(part)}</p>`;
	if ("rows" in part) return `<table style="${tableStyle}">${part.rows.map(htmlRow).join("")}</table>`;
	return `<p style="${paragraphStyle}"><a href="${escaped(part.link)}" style="${buttonStyle}">${escaped(part.label)}</a></p>`;
}

const htmlRow = ([label = "", ...cells]: readonly string[]): string =>
	`<tr><th scope="row" style="${labelStyle}">${escaped(label)}</th>${cells
		.map((cell) => `<td style="${cellStyle}">${escaped(cell)}</td>`)
		.join("")}</tr>`;

/** A mail's subject, its text, and the same as HTML without anything to be loaded. */
export function renderMail({ subject, body }: Pick<Mail, "subject" | "body">): {
	subject: string;
	text: string;
	html: string;
} {
	return {
		subject: oneLine(subject),
		text: `${body.map(textOf).join("\n\n")}\n`,
		html: [
			"<!doctype html>",
			`<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>`,
			'<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif;color:#1a1a1a;background:#ffffff">',
			...body.map(htmlOf),
			"</body></html>",
			"",
		].join("\n"),
	};
}
