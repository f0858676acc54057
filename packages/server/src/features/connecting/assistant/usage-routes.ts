import { AccountQuery, type Guard, readingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { type CountDeps, countQuestion, usageOf } from "./count-questions.ts";
import { presentIncrement, presentUsage } from "./present.ts";
import { IncrementAnswer, UsageAnswer } from "./schemas.ts";

const tags = ["Assistant"];
const counting: Guard = {
	kind: "site",
	siteFrom: "account",
	keyScope: null,
	role: "viewer",
	write: true,
	impersonation: "refused",
};

/** The operator has named no model. */
export const notSetUp = () =>
	new ServiceError("service_unavailable", {
		message: "The assistant is not set up: set LLM_BASE_URL and LLM_MODEL",
		isOurs: false,
	});

/** Routes on how much a site has asked. */
export function registerUsage(app: App, deps: CountDeps & { readonly llm: object | undefined }): void {
	addRoute(app, "GET /lens/chat/usage", {
		tags,
		summary: "Questions used by a site in the current month",
		querystring: AccountQuery,
		guard: readingAccount("viewer"),
		answer: UsageAnswer,
		handler: async ({ site }) => success(presentUsage(await usageOf(deps, site))),
	});
	addRoute(app, "POST /lens/chat/usage/increment", {
		tags,
		summary: "Count a question that a client answers itself; those of the assistant are counted automatically",
		querystring: AccountQuery,
		guard: counting,
		answer: IncrementAnswer,
		handler: async ({ site }) => {
			if (deps.llm === undefined) throw notSetUp();
			const couldAsk = await countQuestion(deps, site);
			return success(presentIncrement(couldAsk, await usageOf(deps, site)));
		},
	});
}
