import type { AccountsApp } from "./accounts-app.ts";
import type { TestApp } from "./test-app.ts";

/** Calls of the whole service in the form of those of the account routes: `call("GET /sites", { as })`. */
export const apiCall =
	(app: Pick<TestApp, "inject">): AccountsApp["call"] =>
	(route, { as, headers, cookies, body } = {}) => {
		const [method = "", path = ""] = route.split(" ");
		return app.inject({
			method: method as "POST",
			url: `/api/v1${path}`,
			headers: { ...as?.headers, ...headers },
			...(cookies === undefined ? {} : { cookies: { ...cookies } }),
			...(body === undefined ? {} : { payload: body as object }),
		});
	};
