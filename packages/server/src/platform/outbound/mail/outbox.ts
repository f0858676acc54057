import { access, constants, mkdir, readdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { syncDirectory } from "../../files/sync-directory.ts";
import { writeAtomic } from "../../files/write-atomic.ts";
import { once } from "../../lib/once.ts";
import type { Log } from "../../log/log.ts";
import { composeMail } from "./compose-mail.ts";
import type { MailMessage, MailTransport } from "./mail.ts";

/** Writes each message to a file of its own, readable by this service's user alone: for a service without a mail server. */
export function outboxTransport({ directory, log }: { directory: string; log: Log }): MailTransport {
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
export async function cleanOutbox(directory: string, beforeMs: number): Promise<void> {
	const files = await readdir(directory).catch(() => []);
	const last = stamp(new Date(beforeMs));
	for (const file of files.filter((name) => name.endsWith(".eml") && name < last)) await rm(join(directory, file));
}

const stamp = (date: Date): string => date.toISOString().replaceAll(":", "-");

/** Sorts by time; another attempt at the same mail writes the same file. */
const fileName = ({ number, date }: MailMessage): string => `${stamp(date)}-${String(number).padStart(6, "0")}.eml`;
