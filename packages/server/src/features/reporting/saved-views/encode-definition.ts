import { fieldError } from "../../../platform/errors/service-error.ts";

const MAX_BYTES = 16 * 1024;
/** Queries are at most lists of lists of conditions; readers of a definition rely on it. */
const MAX_DEPTH = 8;

/** The text under which a definition is stored; 422 on `body.definition` for one that is too long or too deep. */
export function encodeDefinition(definition: object): string {
	if (isDeeper(definition, MAX_DEPTH)) {
		throw fieldError("body.definition", `Must not be nested more than ${MAX_DEPTH} levels deep`, "too_deep");
	}
	const text = JSON.stringify(definition);
	if (Buffer.byteLength(text) > MAX_BYTES) {
		throw fieldError("body.definition", "Must not exceed 16 KB in all", "too_large");
	}
	return text;
}

const isDeeper = (value: unknown, levels: number): boolean =>
	typeof value === "object" &&
	value !== null &&
	(levels === 0 || Object.values(value).some((part) => isDeeper(part, levels - 1)));
