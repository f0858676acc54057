import type { ServiceError } from "../../../../platform/errors/service-error.ts";
import type { App } from "../../../../platform/http/app.ts";
import { receiveError } from "../../../../platform/http/error-handler.ts";
import { html } from "../../../../platform/http/pages/html.ts";
import { type Page, sendPage } from "../../../../platform/http/pages/page.ts";
import { statusOf } from "../../../../platform/http/status-of.ts";
import { OAuthError, type OAuthErrorCode, oauthErrorBody } from "./oauth-error.ts";

/** Answers whatever fails in a scope in the form of RFC 6749; OAuth faults as a page where somebody looks at them, if `pages`. */
export function answerOAuthErrors(scope: App, { pages = false }: { readonly pages?: boolean } = {}): void {
	scope.setErrorHandler((error: unknown, request, reply) => {
		if (error instanceof OAuthError && pages && request.headers.accept?.includes("text/html")) {
			return sendPage(reply, error.status, faultPage(error));
		}
		const { status, code, message, retryAfter } =
			error instanceof OAuthError ? error : told(receiveError(error, request));
		// RFC 9110, 11.6.1: a 401 names a challenge; there is no secret that would meet it.
		if (status === 401) reply.header("www-authenticate", 'Basic realm="clients are public"');
		if (retryAfter !== undefined) reply.header("retry-after", String(retryAfter));
		return reply.code(status).type("application/json; charset=utf-8").send(oauthErrorBody(code, message));
	});
}

/** A request that is too much or that cannot be read is an invalid one, with the status that says why. */
function told(error: ServiceError) {
	const { message, retryAfter } = error;
	const status = statusOf(error.code);
	const unavailable = status === 503 ? "temporarily_unavailable" : "server_error";
	const code: OAuthErrorCode = status < 500 ? "invalid_request" : unavailable;
	return { status, code, message, retryAfter };
}

/** For somebody whom the link of an app led here. */
const faultPage = (error: OAuthError): Page => ({
	title: "The app cannot be connected",
	body: html`<p>It did not ask in a way that can be answered safely: ${error.message}.</p>
<p>Go back to the app and connect it again. If that does not help, tell its makers: <code>${error.code}</code>.</p>`,
});
