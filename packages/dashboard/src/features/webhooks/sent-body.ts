import type { WholeDelivery } from "./queries.ts";

/** The body byte for byte as it was sent; undefined where a part of it is not shown here. */
export function sentBody({
	payload,
	payload_size_bytes: size,
}: Pick<WholeDelivery, "payload" | "payload_size_bytes">): string | undefined {
	const body = JSON.stringify(payload);
	return new TextEncoder().encode(body).length === size ? body : undefined;
}
