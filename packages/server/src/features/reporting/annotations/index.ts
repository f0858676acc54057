/** Annotations of days. */

import { Type } from "typebox";
import { account, readingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { Nullable } from "../../../platform/http/schemas.ts";
import type { ChangeDeps } from "../../auditing/audit-log/index.ts";
import { changeInTurn } from "../../tenancy/organizations/index.ts";
import {
	choice,
	collectionAnswers,
	field,
	registerCollection,
	type SiteCollection,
	text,
} from "../../tenancy/site-collections/index.ts";
import { findAnnotation, listAnnotations } from "./store.ts";

const day = (description: string) => Type.String({ format: "date", description });
const hour = () =>
	Nullable(Type.Integer({ minimum: 0, maximum: 23 }), { description: "Time of day at the site; null: the whole day" });

const annotations: SiteCollection<"annotations"> = {
	tag: "Annotations",
	path: "/annotations",
	idParam: "id",
	table: "annotations",
	noun: "Annotation",
	plural: "annotations",
	/** A list of all of them is one answer. */
	limit: 1_000,
	audit: "annotation",
	summaries: {
		list: "Annotations of a site, by day",
		get: "One annotation",
		create: "Add an annotation to a day",
		change: "Change an annotation",
		remove: "Remove an annotation",
	},
	fields: {
		date: field(() => day("Day in the site's time zone; may be in the future"), Type.String({ format: "date" })),
		hour: field(hour, hour(), { absent: null }),
		text: text(1, 200, { examples: ["Autumn sale begins"] }),
		kind: choice(["note", "release", "campaign"], "note"),
	},
	more: {
		answer: { created_by: Nullable(Type.Integer()), created_by_name: Nullable(Type.String()) },
		columns: (actor) => ({ created_by: actor.userId }),
		find: findAnnotation,
	},
};

/** Routes on the texts beside the figures of a day. */
export function registerAnnotations(app: App, deps: ChangeDeps): void {
	const { Answer, present } = collectionAnswers(annotations);
	addRoute(app, `GET ${annotations.path}`, {
		tags: [annotations.tag],
		summary: annotations.summaries.list,
		querystring: Type.Object({
			...account,
			from_date: Type.Optional(day("First day")),
			to_date: Type.Optional(day("Last day")),
		}),
		guard: readingAccount("viewer"),
		data: Type.Array(Answer),
		errors: ["bad_request"],
		handler: async (request) => {
			const { from_date: from, to_date: to } = request.query;
			if (from !== undefined && to !== undefined && from > to) {
				throw new ServiceError("bad_request", "from_date must not be after to_date");
			}
			return (await listAnnotations(deps.metadata, request.site.id, { from, to })).map(present);
		},
	});
	registerCollection(app, deps.metadata, annotations, (by, change) => changeInTurn(deps, by, change));
}
