import type { FastifyReply, FastifyRequest } from "fastify";
import type { ErrorCode } from "../errors/codes.ts";
import { type FieldError, ServiceError } from "../errors/service-error.ts";
import { describeCause } from "../log/describe-cause.ts";
import { statusOf } from "./error-answers.ts";
import { failurePage, isBrowserVisit, tooManyRequestsPage, unknownAddressPage } from "./pages/error-pages.ts";
import { type Page, sendFailure } from "./pages/page.ts";

/** Body of every answer that is not a success. */
export interface ErrorBody {
	readonly error: { readonly code: ErrorCode; readonly message: string; readonly detail?: readonly FieldError[] };
	readonly request_id: string;
}

/** The error envelope as an object. */
export const errorBody = (error: ServiceError, requestId: string): ErrorBody => ({
	error: {
		code: error.code,
		message: error.message,
		...(error.detail === undefined ? {} : { detail: error.detail }),
	},
	request_id: requestId,
});

/** Error codes for refusals of the HTTP framework and for aborted readers. */
const frameworkErrors: Readonly<Record<string, { code: ErrorCode; message: string }>> = {
	FST_ERR_CTP_BODY_TOO_LARGE: { code: "payload_too_large", message: "The request body is too large" },
	FST_ERR_CTP_INVALID_MEDIA_TYPE: { code: "bad_request", message: "The content type is not supported" },
	FST_ERR_CTP_INVALID_CONTENT_LENGTH: { code: "bad_request", message: "The content length is wrong" },
	FST_ERR_CTP_INVALID_JSON_BODY: { code: "bad_request", message: "The body is not valid JSON" },
	FST_ERR_CTP_EMPTY_JSON_BODY: { code: "bad_request", message: "The body is not valid JSON" },
	FST_ERR_MAX_PARAM_LENGTH: { code: "bad_request", message: "A part of the path is too long" },
	ERR_STREAM_PREMATURE_CLOSE: { code: "bad_request", message: "The client hung up" },
	FST_ERR_BAD_URL: { code: "bad_request", message: "The address is malformed" },
};

/** Maps whatever was thrown to an `ServiceError`: the only place where foreign errors get a status. */
function toServiceError(error: unknown): ServiceError {
	if (error instanceof ServiceError) return error;
	const { code, statusCode } = (error ?? {}) as { code?: unknown; statusCode?: unknown };
	const known = typeof code === "string" ? frameworkErrors[code] : undefined;
	if (known !== undefined) return new ServiceError(known.code, known.message);
	if (typeof statusCode === "number" && statusCode >= 400 && statusCode < 500) return new ServiceError("bad_request");
	return new ServiceError("internal_error", { cause: error });
}

/** The error for the client. The service's own failures are logged, those of a store that is away once a second, with the number in between (`more`). */
export function receiveError(error: unknown, request: FastifyRequest): ServiceError {
	const serviceError = toServiceError(error);
	if (!serviceError.isOurs) return serviceError;
	const held = serviceError.code === "database_unavailable" ? request.server.limitAwayLines() : 0;
	if (held === undefined) return serviceError;
	request.log.error(
		{
			method: request.method,
			route: request.routeOptions?.url,
			code: serviceError.code,
			...(held > 0 && { more: held }),
			cause: describeCause(serviceError.cause ?? error),
		},
		"Request failed",
	);
	return serviceError;
}

/** Pages for browsers instead of the envelope, where there is more to say than the error. */
const pages: Partial<Readonly<Record<ErrorCode, (error: ServiceError) => Page>>> = {
	not_found: () => unknownAddressPage,
	method_not_allowed: () => unknownAddressPage,
	rate_limit_exceeded: ({ retryAfter = 60 }) => tooManyRequestsPage(retryAfter),
};
const otherPage = (error: ServiceError): Page =>
	failurePage(error.isOurs ? "Please try again in a while." : "Go back to the page before, and try again.")(error);

/** Sends any error in the envelope; somebody who opens an address in a browser gets a page. */
export function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
	const serviceError = receiveError(error, request);
	if (isBrowserVisit(request)) {
		const page = (pages[serviceError.code] ?? otherPage)(serviceError);
		return sendFailure(reply.header("vary", "Accept"), serviceError, page);
	}
	if (serviceError.retryAfter !== undefined) reply.header("retry-after", String(serviceError.retryAfter));
	return reply
		.code(statusOf(serviceError.code))
		.type("application/json; charset=utf-8")
		.send(errorBody(serviceError, request.id));
}
