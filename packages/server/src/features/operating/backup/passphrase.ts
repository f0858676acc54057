import { randomBytes } from "node:crypto";
import { hashRaw } from "@node-rs/argon2";
import { seal, unseal } from "../../../platform/lib/crypto.ts";

/** Argon2id with 64 MiB and three passes (RFC 9106, section 4, second choice). */
const parameters = { memoryCost: 65_536, timeCost: 3, parallelism: 4, outputLen: 32 };
const SALT_BYTES = 16;

const keyOf = (passphrase: string, salt: Uint8Array): Promise<Buffer> => hashRaw(passphrase, { ...parameters, salt });

/** A text encrypted by AES-256-GCM under a key from the passphrase: salt and ciphertext in base64url, with a dot between. */
export async function sealWithPassphrase(passphrase: string, text: string): Promise<string> {
	const salt = randomBytes(SALT_BYTES);
	return `${salt.toString("base64url")}.${seal(await keyOf(passphrase, salt), text)}`;
}

/** The text; undefined when the passphrase is another or the value was changed. */
export async function openWithPassphrase(passphrase: string, sealed: string): Promise<string | undefined> {
	const [salt = "", text = ""] = sealed.trim().split(".");
	const bytes = Buffer.from(salt, "base64url");
	return bytes.length === SALT_BYTES ? unseal(await keyOf(passphrase, bytes), text) : undefined;
}
