import type { FastifyReply, FastifyRequest } from "fastify";
import { describeCause } from "../log/describe-cause.ts";
import { ApiError, type FieldError } from "./api-error.ts";
import type { ErrorCodeName } from "./error-codes.ts";

/** Body of every answer that is not a success. */
export interface ErrorBody {
	readonly error: { readonly code: ErrorCodeName; readonly message: string; readonly detail?: readonly FieldError[] };
	readonly request_id: string;
}

/** The error envelope as an object. */
export const errorBody = (error: ApiError, requestId: string): ErrorBody => ({
	error: {
		code: error.code,
		message: error.message,
		...(error.detail === undefined ? {} : { detail: error.detail }),
	},
	request_id: requestId,
});

/** What the HTTP framework itself refuses, by its error code. */
const frameworkErrors: Readonly<Record<string, { code: ErrorCodeName; message: string }>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: { code: "payload_too_large", message: "The request body is too large" },
	FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "bad_request", message: "The content type is not supported" },
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: "bad_request", message: "The content length is wrong" },
	FST_ERR_CTP_INVALID_JSON_BODY: { code: "bad_request", message: "The body is not valid JSON" },
	FST_ERR_CTP_EMPTY_JSON_BODY: { code: "bad_request", message: "The body is not valid JSON" },
	FST_ERR_MAX_PARAM_LENGTH: { code: "bad_request", message: "A part of the path is too long" },
	FST_ERR_BAD_URL: { code: "bad_request", message: "The address is malformed" },
};

/** Maps whatever was thrown to an `ApiError`: the only place where foreign errors get a status. */
function toApiError(error: unknown): ApiError {
	if (error instanceof ApiError) return error;
	const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
	const known = typeof code === "string" ? frameworkErrors[code] : undefined;
	if (known !== undefined) return new ApiError(known.code, { message: known.message });
	if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return new ApiError("bad_request");
	return new ApiError("internal_error", { cause: error });
}

/** What any error is to the client; failures of the service itself are logged by an allow-list. */
export function receiveError(error: unknown, request: FastifyRequest): ApiError {
	const apiError = toApiError(error);
	if (apiError.status >= 500) {
		request.log.error(
			{
				method: request.method,
				route: request.routeOptions?.url,
				code: apiError.code,
				cause: describeCause(apiError.cause ?? error),
			},
			"Request failed",
		);
	}
	return apiError;
}

/** Sends any error in the envelope. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const apiError = receiveError(error, request);
	if (apiError.retryAfter !== undefined) reply.header("retry-after", String(apiError.retryAfter));
	return reply.code(apiError.status).type("application/json; charset=utf-8").send(errorBody(apiError, request.id));
}
