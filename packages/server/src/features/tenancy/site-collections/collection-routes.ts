import { type TSchema, Type } from "typebox";
import { AccountQuery, account, readingAccount, writingAccount } from "../../../access/index.ts";
import { ServiceError } from "../../../platform/errors/service-error.ts";
import { addRoute } from "../../../platform/http/add-route.ts";
import type { App } from "../../../platform/http/app.ts";
import { success } from "../../../platform/http/envelope.ts";
import { ErrorRef, Id, Success, Timestamp } from "../../../platform/http/schemas.ts";
import { timestamp } from "../../../platform/lib/timestamp.ts";
import type { Metadata } from "../../../platform/metadata/metadata.ts";
import {
	type AuditDetails,
	addedFields,
	type Change,
	changedFields,
	removedFields,
} from "../../auditing/audit-log/index.ts";
import { type SiteChange, siteChangeOf, siteIsFull } from "../organizations/index.ts";
import type { CollectionRow, Field, SiteCollection } from "./collection.ts";
import { recordsIn } from "./collection-store.ts";

/** Runs a change to records of a site in a transaction; two changes to one site wait for one another. */
type RunChange = <T>(by: SiteChange, change: Change<T>) => Promise<T>;
type Body = Readonly<Record<string, unknown>>;

/** Routes that list, show, add, change and remove the records of a collection. */
export function registerCollection<Name extends SiteCollection["table"]>(
	app: App,
	metadata: Metadata,
	definition: SiteCollection<Name>,
	run: RunChange,
): void {
	const collection = definition as SiteCollection;
	const { path, idParam, noun, summaries, list, unique } = collection;
	const records = recordsIn(collection.table);
	const find =
		collection.more?.find ??
		((metadata: Metadata, site_id: string, id: number) => records.find(metadata, { site_id, id }));
	const tags = [collection.tag];
	const reading = { guard: readingAccount("viewer") };
	const writing = { guard: writingAccount("editor") };
	const url = `${path}/:${idParam}`;
	const params = Type.Object({ [idParam]: Id() });
	const Answer = Success(answerSchema(collection));
	const notFound = () => new ServiceError("not_found", `${noun} not found`);
	const duplicate = () => new ServiceError("duplicate_entry", `The site has this ${unique?.noun} already`);
	const idOf = (request: { readonly params: Readonly<Record<string, number>> }) => request.params[idParam] ?? 0;
	const present = (row: CollectionRow) => success(presentRecord(collection, row));
	/** True when another record of the site has this value in the field that is unique. */
	const isTaken = async (trx: Metadata, site_id: string, columns: Body, except = 0) => {
		const value = unique && columns[unique.field];
		if (unique === undefined || value === undefined) return false;
		return (await records.count(trx, { site_id, [unique.field]: value, id: { "!=": except } })) > 0;
	};

	if (list !== undefined) {
		addRoute(app, `GET ${path}`, {
			tags,
			summary: summaries.list,
			querystring: Type.Object({ ...account, include_inactive: Type.Boolean({ default: false }) }),
			...reading,
			data: listSchema(collection, list),
			handler: async (request) => {
				const all = await records.list(metadata, { site_id: request.site.id }, ...list.order);
				const active = all.filter((row) => row.is_active === 1);
				const listed = request.query.include_inactive ? all : active;
				const shown = listed.map((row) => presentRecord(collection, row));
				return { [list.key]: shown, total: shown.length, active_count: active.length };
			},
		});
	}
	addRoute(app, `GET ${url}`, {
		tags,
		summary: summaries.get,
		params,
		querystring: AccountQuery,
		...reading,
		answer: Answer,
		handler: async (request) => {
			const row = await find(metadata, request.site.id, idOf(request));
			if (row === undefined) throw notFound();
			return present(row);
		},
	});
	addRoute(app, `POST ${path}`, {
		tags,
		summary: summaries.create,
		querystring: AccountQuery,
		body: bodySchema(collection, "create"),
		...writing,
		status: 201,
		answer: Answer,
		errors: { 409: { description: tooMany(collection), ...ErrorRef } },
		handler: async (request) => {
			const columns = toColumns(collection, request.body as Body, (value = null) => value);
			collection.check?.(columns as never);
			const { site } = request;
			const by = siteChangeOf(request);
			const row = await run(by, async (trx, nowMs) => {
				if (await isTaken(trx, site.id, columns)) throw duplicate();
				if ((await records.count(trx, { site_id: site.id })) >= collection.limit)
					throw siteIsFull(collection.limit, collection.plural);
				const { id } = await records.insert(trx, {
					...columns,
					...collection.more?.columns(by.actor),
					site_id: site.id,
					created_at: nowMs,
					...(collection.isDated && { updated_at: nowMs }),
				});
				const answer = await find(trx, site.id, id);
				if (answer === undefined) throw notFound();
				const details = collection.facts?.(answer as never) ?? addedFields(audited(collection, answer));
				return { answer, entry: { action: `${collection.audit}.created`, resourceId: id, details } };
			});
			return present(row);
		},
	});
	addRoute(app, `PATCH ${url}`, {
		tags,
		summary: summaries.change,
		params,
		querystring: AccountQuery,
		body: bodySchema(collection, "change"),
		...writing,
		answer: Answer,
		...(unique && {
			errors: {
				409: { description: `\`duplicate_entry\`: the site has this ${unique.noun} already`, ...ErrorRef },
			},
		}),
		handler: async (request) => {
			const id = idOf(request);
			const columns = toColumns(collection, request.body as Body);
			const { site } = request;
			const row = await run(siteChangeOf(request), async (trx, nowMs) => {
				const before = await find(trx, site.id, id);
				if (before === undefined) throw notFound();
				collection.check?.({ ...before, ...columns } as never);
				if (await isTaken(trx, site.id, columns, id)) throw duplicate();
				const changes = { ...columns, ...(collection.isDated && { updated_at: nowMs }) };
				await records.update(trx, { site_id: site.id, id }, changes);
				const answer = (await find(trx, site.id, id)) ?? before;
				const details = changedFields(audited(collection, before), audited(collection, answer));
				return { answer, entry: { action: `${collection.audit}.updated`, resourceId: id, details } };
			});
			return present(row);
		},
	});
	addRoute(app, `DELETE ${url}`, {
		tags,
		summary: summaries.remove,
		params,
		querystring: AccountQuery,
		...writing,
		empty: "Removed",
		handler: async (request) => {
			const id = idOf(request);
			const { site } = request;
			await run(siteChangeOf(request), async (trx) => {
				const row = await records.delete(trx, { site_id: site.id, id });
				if (row === undefined) throw notFound();
				const details = collection.facts?.(row as never) ?? removedFields(audited(collection, row));
				return { answer: undefined, entry: { action: `${collection.audit}.deleted`, resourceId: id, details } };
			});
		},
	});
}

/** The schema of a record in answers and its form there, for routes that a slice writes itself. */
export const collectionAnswers = <Name extends SiteCollection["table"]>(definition: SiteCollection<Name>) => {
	const collection = definition as SiteCollection;
	return { Answer: answerSchema(collection), present: (row: CollectionRow) => presentRecord(collection, row) };
};

const eachField = <T>(
	{ fields }: SiteCollection,
	of: (field: Field, name: string) => T | undefined,
): Record<string, T> =>
	Object.fromEntries(
		Object.entries(fields).flatMap(([name, field]) => {
			const value = of(field, name);
			return value === undefined ? [] : [[name, value]];
		}),
	);

const bodySchema = (collection: SiteCollection, use: "create" | "change") =>
	Type.Object(eachField(collection, (field): TSchema => field[use]));

const answerSchema = (collection: SiteCollection): TSchema =>
	Type.Object({
		id: Type.Integer(),
		account_id: Type.String(),
		...eachField(collection, (field): TSchema => field.answer),
		...collection.more?.answer,
		created_at: Timestamp(),
		...(collection.isDated && { updated_at: Timestamp() }),
	});

const listSchema = (collection: SiteCollection, { key, description }: NonNullable<SiteCollection["list"]>): TSchema =>
	Type.Object({
		[key]: Type.Array(answerSchema(collection), description === undefined ? {} : { description }),
		total: Type.Integer({ description: `Among the listed ${key}` }),
		active_count: Type.Integer(),
	});

/** The columns of a body's fields. A body may hold others, which are passed over; `absent` gives those it does not hold. */
const toColumns = (collection: SiteCollection, body: Body, absent = (value: unknown): unknown => value) =>
	eachField(collection, (field, name) => {
		const value = absent(body[name]);
		return value === undefined ? undefined : field.toColumn(value);
	});

const presentRecord = (collection: SiteCollection, row: CollectionRow) => ({
	id: row.id,
	account_id: row.site_id,
	...eachField(collection, (field, name) => field.fromColumn(row[name])),
	...Object.fromEntries(Object.keys(collection.more?.answer ?? {}).map((name) => [name, row[name]])),
	created_at: timestamp(row.created_at),
	...(collection.isDated && { updated_at: timestamp(Number(row.updated_at)) }),
});

const audited = (collection: SiteCollection, row: CollectionRow) =>
	eachField(collection, (field, name) => field.fromColumn(row[name])) as AuditDetails;

const tooMany = ({ unique, limit, plural }: SiteCollection) =>
	unique === undefined
		? `\`conflict\`: the site has ${limit.toLocaleString("en")} ${plural}`
		: `\`duplicate_entry\`, or \`conflict\`: the site has ${limit} already`;
