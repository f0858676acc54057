import { atField } from "../../lib/failure.ts";
import { t } from "./texts.ts";

/** Throws a fault that the API names by a code as one of the field that it lies in. */
export const atItsField = atField({
	invalid_domain: ["domains", t.badDomain],
	invalid_timezone: ["timezone", t.unknownZone],
});
