import { type ErrorCode, errorCodes } from "../errors/codes.ts";

/** The HTTP status that an error with this code is answered with. */
export const statusOf = (code: ErrorCode): number => errorCodes[code].status;
