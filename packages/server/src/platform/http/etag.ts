import { createHash } from "node:crypto";

/** The entity tag of a body; weak, because the compressed and the plain form share it. */
export const etagOf = (body: string | Uint8Array): string =>
	`W/"${createHash("sha256").update(body).digest("base64url").slice(0, 22)}"`;

/** Whether an `If-None-Match` header names the tag, by weak comparison (RFC 9110, 13.1.2). */
export function matches(header: string | undefined, etag: string): boolean {
	const opaque = (tag: string) => tag.trim().replace(/^W\//, "");
	return header?.split(",").some((tag) => tag.trim() === "*" || opaque(tag) === opaque(etag)) ?? false;
}
