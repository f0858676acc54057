/** The smallest first; browsers offer Brotli over HTTPS alone. */
const encodings = ["br", "gzip"] as const;

/** A coding of answers that this service speaks. */
export type Encoding = (typeof encodings)[number];

/** The best available coding that an `Accept-Encoding` header takes; undefined = none (RFC 9110, 12.5.3). */
export const chooseEncoding = (header: string | undefined, offers: (encoding: Encoding) => boolean = () => true) =>
	encodings.find((name) => offers(name) && accepts(name, header));

/** Whether the header names the coding, and not with a weight of zero. */
const accepts = (encoding: Encoding, header = ""): boolean =>
	header.split(",").some((part) => {
		const [name = "", ...parameters] = part.toLowerCase().split(";");
		return name.trim() === encoding && !parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
	});
