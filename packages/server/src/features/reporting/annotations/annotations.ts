import { Type } from "typebox";
import { tables } from "../../../../migrations/metadata/tables/index.ts";
import { account, readingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { errorAnswers } from "../../../platform/http/error-answers.ts";
import { Nullable, Success } from "../../../platform/http/schemas.ts";
import type { Clock } from "../../../platform/lib/clock.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import { changeInTurn } from "../../tenancy/organizations/index.ts";
import {
	choice,
	collectionAnswers,
	field,
	registerCollection,
	type SiteCollection,
	text,
} from "../../tenancy/site-collections/index.ts";

const day = (description: string) => Type.String({ format: "date", description });
const hour = () =>
	Nullable(Type.Integer({ minimum: 0, maximum: 23 }), { description: "On the site's clock; null: the whole day" });

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
		list: "Annotations of a site, in the order of their days",
		get: "One annotation",
		create: "Write something beside the figures of a day",
		change: "Change an annotation",
		remove: "Remove an annotation",
	},
	fields: {
		date: field(() => day("A day of the site; it may be yet to come"), Type.String({ format: "date" })),
		hour: field(hour, hour(), { absent: null }),
		text: text(1, 200, { examples: ["Autumn sale begins"] }),
		kind: choice(["note", "release", "campaign"], "note"),
	},
	more: {
		answer: { created_by: Nullable(Type.Integer()), created_by_name: Nullable(Type.String()) },
		columns: (actor) => ({ created_by: actor.userId }),
		find: (metadata, siteId, id) => withAuthors(metadata, siteId).where("annotations.id", "=", id).executeTakeFirst(),
	},
};

const withAuthors = (metadata: Metadata, siteId: string) =>
	tables(metadata)
		.selectFrom("annotations")
		.leftJoin("users", "users.id", "annotations.created_by")
		.selectAll("annotations")
		.select("users.name as created_by_name")
		.where("annotations.site_id", "=", siteId);

/** Routes on the texts beside the figures of a day. */
export function registerAnnotations(app: App, deps: { readonly metadata: Metadata; readonly clock: Clock }): void {
	const { Answer, present } = collectionAnswers(annotations);
	app.route({
		method: "GET",
		url: annotations.path,
		schema: {
			tags: [annotations.tag],
			summary: annotations.summaries.list,
			querystring: Type.Object({
				...account,
				from_date: Type.Optional(day("First day")),
				to_date: Type.Optional(day("Last day")),
			}),
			response: { 200: Success(Type.Array(Answer)), ...errorAnswers("bad_request") },
		},
		config: { guard: readingAccount("viewer") },
		handler: async (request) => {
			const { from_date: from, to_date: to } = request.query;
			if (from !== undefined && to !== undefined && from > to) {
				throw new ServiceError("bad_request", { message: "from_date must not be after to_date" });
			}
			let query = withAuthors(deps.metadata, request.site.id);
			if (from !== undefined) query = query.where("annotations.date", ">=", from);
			if (to !== undefined) query = query.where("annotations.date", "<=", to);
			// Annotations of a whole day come before those of its hours, in every store.
			const rows = await query
				.orderBy("annotations.date")
				.orderBy(({ fn, val, ref }) => fn.coalesce(ref("annotations.hour"), val(-1)))
				.orderBy("annotations.id")
				.execute();
			return success(rows.map(present));
		},
	});
	registerCollection(app, deps.metadata, annotations, (by, change) => changeInTurn(deps, by, change));
}
