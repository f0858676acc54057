export type ReceivedMail = ReturnType<typeof parseMail>;

/** Reads a message of two parts, as the service makes them. */
export function parseMail(source: string) {
	const { headers, body } = split(source.replaceAll("\r\n", "\n"));
	const boundary = /boundary="([^"]+)"/.exec(headers["content-type"] ?? "")?.[1];
	if (boundary === undefined) throw new Error("The mail is not of several parts");
	const parts = body.split(`--${boundary}`).slice(1, -1);
	const partOf = (type: string): string => {
		const all = parts.map((part) => split(part.replace(/^\n/, "")));
		const part = all.find((candidate) => candidate.headers["content-type"]?.startsWith(type));
		if (part === undefined) throw new Error(`The mail has no ${type}`);
		return decodeBody(part.body, part.headers["content-transfer-encoding"]);
	};
	const text = partOf("text/plain");
	return {
		headers: headers as Readonly<Record<string, string>>,
		to: headers["to"] ?? "",
		subject: decodeWords(headers["subject"] ?? ""),
		text,
		html: partOf("text/html"),
		/** Addresses that the text names, in order. */
		links: (text.match(/https?:\/\/\S*[^\s.,;:!?)]/g) ?? []) as readonly string[],
	};
}

function split(source: string): { headers: Record<string, string>; body: string } {
	const [head = "", ...rest] = source.split("\n\n");
	const lines = head.replace(/\n[ \t]+/g, " ").split("\n");
	const pairs = lines.map((line) => [line.slice(0, line.indexOf(":")).toLowerCase(), line.replace(/^[^:]*: ?/, "")]);
	return { headers: Object.fromEntries(pairs), body: rest.join("\n\n") };
}

function decodeBody(body: string, encoding = "7bit"): string {
	if (encoding === "base64") return Buffer.from(body, "base64").toString("utf8");
	const text = body.replace(/\n$/, "");
	return encoding === "quoted-printable" ? decodeQuoted(text.replace(/=\n/g, "")) : text;
}

const decodeQuoted = (text: string): string => {
	const bytes = text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
	return Buffer.from(bytes, "latin1").toString("utf8");
};

/** Encoded words of a header (RFC 2047). */
const decodeWords = (header: string): string =>
	header
		.replace(/\?=\s+=\?/g, "?==?")
		.replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_match, kind: string, word: string) =>
			kind.toLowerCase() === "b"
				? Buffer.from(word, "base64").toString("utf8")
				: decodeQuoted(word.replaceAll("_", " ")),
		);
