import { isIPv4 } from "node:net";
import type { NodemailerError, SMTPTransportOptions } from "nodemailer";
import { JobFailure } from "../../jobs/job-failure.ts";
import { once } from "../../lib/once.ts";
import { composeMail, type MailTransport } from "./mail.ts";

/** Milliseconds that the mail server may keep us waiting, by step. */
const timeouts = { dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 30_000 };

/** Hands messages to a mail server. */
export function smtpTransport(url: string, limits: Partial<typeof timeouts> = {}): MailTransport {
	const options = { ...smtpOptions(url), ...timeouts, ...limits };
	// Loaded with the first mail.
	const transport = once(async () => (await import("nodemailer")).createTransport(options));
	return {
		send: async (message) => {
			try {
				await (await transport()).sendMail(composeMail(message));
			} catch (error) {
				throw describeRefusal(error);
			}
		},
		check: async () => {
			await (await transport()).verify();
			return "the mail server accepts us";
		},
	};
}

const isLoopback = (host: string): boolean =>
	host === "localhost" || host === "[::1]" || (isIPv4(host) && host.startsWith("127."));

/** `smtps:`, `smtp+tls:`, and `smtp:` with a password beyond this machine insist on a valid certificate; else STARTTLS is taken when offered. */
export function smtpOptions(url: string): SMTPTransportOptions {
	const { protocol, hostname, port, username, password } = new URL(url);
	const secure = protocol === "smtps:";
	const insists = protocol !== "smtp:" || (username !== "" && !isLoopback(hostname));
	return {
		host: hostname.replace(/^\[|\]$/g, ""),
		port: port === "" ? (secure ? 465 : 587) : Number(port),
		secure,
		requireTLS: insists && !secure,
		tls: { rejectUnauthorized: insists },
		...(username === "" ? {} : { auth: { user: decoded(username), pass: decoded(password) } }),
	};
}

/** True when mails, and the links in them, may leave this machine unencrypted, or to a server that only claims its name. */
export function isOpenToOthers(url: string): boolean {
	const { requireTLS, secure } = smtpOptions(url);
	return requireTLS !== true && secure !== true && !isLoopback(new URL(url).hostname);
}

/** A password may hold a bare `%`. */
function decoded(part: string): string {
	try {
		return decodeURIComponent(part);
	} catch {
		return part;
	}
}

/** Codes of failures that lie with this one message. */
const aboutTheMessage = new Set(["EENVELOPE", "EMESSAGE"]);

/** A permanent refusal would be repeated; but a refused sender or sign-in can be fixed by the operator. */
const isFinal = ({ code, responseCode, command }: Partial<NodemailerError>): boolean =>
	aboutTheMessage.has(String(code)) && command !== "MAIL FROM" && (responseCode === undefined || responseCode >= 500);

/** The server's sentence may quote the receiver's address: its number must do. */
function describeRefusal(error: unknown): JobFailure {
	const refusal = (error ?? {}) as Partial<NodemailerError>;
	const { code = "unknown", responseCode } = refusal;
	const answer = responseCode === undefined ? "" : `, answer ${responseCode}`;
	return new JobFailure(`The mail server did not take the mail (${code}${answer})`, {
		isFinal: isFinal(refusal),
		cause: error,
	});
}
