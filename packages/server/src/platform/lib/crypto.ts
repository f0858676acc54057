import {
	createCipheriv,
	createDecipheriv,
	createHash,
	createHmac,
	hkdfSync,
	randomBytes,
	timingSafeEqual,
} from "node:crypto";

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** SHA-256 of a text, 64 hexadecimal characters. */
export const sha256Hex = (text: string): string => createHash("sha256").update(text).digest("hex");

/** SHA-256 of a text as base64url, 43 characters. */
export const s256 = (text: string): string => createHash("sha256").update(text).digest("base64url");

/** HMAC-SHA-256 of a text, 64 hexadecimal characters. */
export const hmacHex = (key: string | Uint8Array, text: string): string =>
	createHmac("sha256", key).update(text).digest("hex");

/** A 32-byte key of its own for each purpose, from the server's secret (HKDF, RFC 5869). */
export const deriveKey = (secret: string, purpose: string): Buffer =>
	Buffer.from(hkdfSync("sha256", secret, "footfall", purpose, 32));

/** Encrypts a text with AES-256-GCM; the answer is base64url of nonce, tag and ciphertext. */
export function seal(key: Uint8Array, text: string): string {
	const nonce = randomBytes(NONCE_BYTES);
	const cipher = createCipheriv("aes-256-gcm", key, nonce);
	const sealed = Buffer.concat([cipher.update(text, "utf8"), cipher.final()]);
	return Buffer.concat([nonce, cipher.getAuthTag(), sealed]).toString("base64url");
}

/** The text that `seal` was given; undefined when the key is another or the value was changed. */
export function unseal(key: Uint8Array, sealed: string): string | undefined {
	const bytes = Buffer.from(sealed, "base64url");
	if (bytes.length < NONCE_BYTES + TAG_BYTES) return undefined;
	const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, NONCE_BYTES));
	decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES));
	try {
		const head = decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES));
		return Buffer.concat([head, decipher.final()]).toString("utf8");
	} catch {
		return undefined;
	}
}

/** Compares two texts in a time that does not depend on where they differ. */
export function equalConstantTime(a: string, b: string): boolean {
	const digest = (text: string) => createHash("sha256").update(text).digest();
	return timingSafeEqual(digest(a), digest(b));
}
