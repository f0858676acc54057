import { type ErrorCode, errorCodes } from "../errors/codes.ts";
import { ErrorRef } from "./schemas.ts";

/** The HTTP status that an error with this code is answered with. */
export const statusOf = (code: ErrorCode): number => errorCodes[code].status;

/** Declares errors as answers of a route, by status. Those of its guard and schema are declared automatically. */
export function errorAnswers(...codes: readonly ErrorCode[]): Record<string, { readonly description: string }> {
	const byStatus = Map.groupBy(new Set(codes), (code) => statusOf(code));
	return Object.fromEntries(
		[...byStatus].map(([status, names]) => [
			status,
			{ description: names.map((name) => `\`${name}\``).join(", "), ...ErrorRef },
		]),
	);
}
